//! `AnyIpCidr::first` of cidr.
