-- Parked messages that an operator had tried again. A message that was dealt with is parked no more; this stays.
create table replay (
  id uuid primary key default uuidv7(),
  message_id uuid not null,
  name text not null,
  key text not null,
  operator text not null,
  reason text not null,
  at timestamptz not null default now()
);

create index replay_of_message on replay (message_id);
create index replay_of_key on replay (key);
