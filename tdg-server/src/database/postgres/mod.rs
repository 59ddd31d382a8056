//! stub
use super::Opened;
use tdg::service::{Result, ServiceError};
pub(super) async fn open(_config: &tokio_postgres::Config, _connections: usize) -> Result<Opened> {
    Err(ServiceError::Unavailable("not yet".to_owned()))
}
