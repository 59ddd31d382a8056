//! `Ipv4Net::is_sibling` of ipnet.
