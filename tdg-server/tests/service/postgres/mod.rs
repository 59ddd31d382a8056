//! PostgreSQL: connections, hosts, poolers, replicas, and tables of earlier versions.

mod concurrency;
mod connections;
mod encryption;
mod failover;
mod indexes;
mod migrations;
mod poolers;
mod read_replicas;
mod server_replicas;
