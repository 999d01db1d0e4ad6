-- What this service has said. A row commits together with the change it tells of; the relay sends it afterwards.
create table outbox (
  id uuid primary key default uuidv7(),
  seq bigint generated always as identity unique,
  name text not null,
  topic text not null,
  key text not null,
  data jsonb not null,
  correlation_id text,
  created_at timestamptz not null default now(),
  published_at timestamptz
);

create index outbox_waiting on outbox (seq) where published_at is null;

create function outbox_wake() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;

create trigger outbox_wake after insert on outbox for each statement execute function outbox_wake();

-- What this service has heard and dealt with.
create table inbox (
  message_id uuid primary key,
  name text not null,
  received_at timestamptz not null default now()
);

-- Messages whose handler failed, and those behind them with the same key. They are tried again by themselves until
-- `given_up_at`; after that by hand. Nobody else waits for them.
create table parked_event (
  message_id uuid primary key,
  seq bigint generated always as identity unique,
  name text not null,
  topic text not null,
  key text not null,
  data jsonb not null,
  correlation_id text,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  error text,
  parked_at timestamptz not null default now(),
  given_up_at timestamptz
);

create index parked_event_waiting on parked_event (topic, key, seq) where given_up_at is null;
