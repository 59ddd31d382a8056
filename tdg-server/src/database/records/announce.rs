//! Telling webhooks of records: the messages are written with the records, or neither.

use tdg_service::record::{Record, RecordKind};
use tdg_service::sync::RecordOutcome;
use tdg_service::{Timestamp, Uuid};

use crate::database::error::DatabaseResult;
use crate::database::session::ProjectSession;
use crate::database::sql::{SqlValues, sql};
use crate::database::timed_uuid;
use crate::webhook::WebhookEvent;

impl ProjectSession<'_> {
    /// Has the account's webhooks told of those of the records that were made.
    pub(super) async fn announce(
        self,
        records: &[Record],
        outcomes: &[RecordOutcome],
    ) -> DatabaseResult<()> {
        let now = Timestamp::now();
        let made = records.iter().zip(outcomes);
        let made = made.filter(|(_, outcome)| **outcome == RecordOutcome::Made);
        let events = made.filter_map(|(record, _)| WebhookEvent::of(record, now));
        let events: Vec<WebhookEvent<'_>> = events.collect();
        if events.is_empty() {
            return Ok(());
        }
        let sql = sql!("SELECT uuid FROM webhook WHERE account = $1");
        let webhooks: Vec<Uuid> = self.session.all(sql, &[], |row| row.get(0)).await?;
        if webhooks.is_empty() {
            return Ok(());
        }
        let sql = sql!("SELECT name FROM project WHERE account = $1 AND uuid = $2");
        let values: SqlValues<'_> = &[&self.project];
        let name: Option<String> = self.session.first(sql, values, |row| row.get(0)).await?;
        let project = (self.project, name.as_deref().unwrap_or_default());
        for event in events {
            let test = self.stored(RecordKind::Test, event.test).await?;
            let Some(Record::Test(test)) = test else {
                continue;
            };
            let message = event.message(project, &test.test, now);
            for webhook in &webhooks {
                self.enqueue(*webhook, &message, now).await?;
            }
        }
        Ok(())
    }

    async fn enqueue(self, webhook: Uuid, message: &str, now: Timestamp) -> DatabaseResult<()> {
        let sql = sql!(
            "INSERT INTO delivery (account, uuid, webhook, body, added, due, attempts)
             VALUES ($1, $2, $3, $4, $5, $5, 0)"
        );
        let uuid = timed_uuid(now);
        let values: SqlValues<'_> = &[&uuid, &webhook, &message, &now.as_micros()];
        self.session.execute(sql, values).await.map(drop)
    }
}
