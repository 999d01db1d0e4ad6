-- Outbox: events of this service. A row commits together with the change that it describes; the relay publishes it.
create table outbox (
  id uuid primary key default uuidv7(),
  seq bigint generated always as identity unique,
  name text not null,
  topic text not null,
  key text not null,
  data jsonb not null,
  correlation_id text,
  -- W3C Trace Context of the transaction; null without tracing.
  traceparent text,
  created_at timestamptz not null default now(),
  published_at timestamptz
);

create index outbox_waiting on outbox (seq) where published_at is null;
-- For the hourly deletion of old rows: they are in the order of this column, so a block range index suffices.
create index outbox_age on outbox using brin (published_at);

create function outbox_wake() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;

create trigger outbox_wake after insert on outbox for each statement execute function outbox_wake();

-- Republications: an operator had the events published again that were published since `since`. The relay does so in the
-- order of `seq`, from next_seq to last_seq, before it publishes any other event.
create table republication (
  id bigint generated always as identity primary key,
  since timestamptz not null,
  next_seq bigint not null,
  last_seq bigint not null,
  requested_at timestamptz not null default now(),
  ended_at timestamptz
);

create index republication_open on republication (id) where ended_at is null;

-- Inbox: ids of the messages that this service has handled, so that a redelivery changes nothing.
create table inbox (
  message_id uuid primary key,
  name text not null,
  received_at timestamptz not null default now()
);

create index inbox_age on inbox using brin (received_at);

-- Retry queue: messages whose handler threw, and the following ones with the same topic and key. A worker retries them;
-- after the last attempt a message is a dead letter (`dead_lettered_at`), which only an operator replays. Dead letters do
-- not block the messages that follow. A message whose version this release does not know is a dead letter at once
-- (`unknown_version`): a release that knows the version retries it without an operator.
create table retry_message (
  message_id uuid primary key,
  seq bigint generated always as identity unique,
  name text not null,
  topic text not null,
  key text not null,
  data jsonb not null,
  correlation_id text,
  traceparent text,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  error text,
  queued_at timestamptz not null default now(),
  dead_lettered_at timestamptz,
  unknown_version boolean not null default false check (not unknown_version or dead_lettered_at is not null)
);

create index retry_message_waiting on retry_message (topic, key, seq) where dead_lettered_at is null;
create index retry_message_unknown on retry_message (topic, key, seq) where unknown_version;
create index retry_message_age on retry_message (dead_lettered_at, queued_at);
