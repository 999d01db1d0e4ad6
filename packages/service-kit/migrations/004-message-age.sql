-- What the hourly forgetting asks. Both tables grow in the order of these columns, for which a block range suffices.
create index outbox_age on outbox using brin (published_at);
create index inbox_age on inbox using brin (received_at);
