-- The log of the local transport: every event that the store has published, in the order of publication. An event that is
-- published again is in it again, as in a topic of Kafka.
create table message (
  seq bigint generated always as identity primary key,
  id uuid not null,
  topic text not null,
  key text not null,
  name text not null,
  data jsonb not null,
  correlation_id text,
  traceparent text,
  published_at timestamptz not null default now()
);

create index message_topic on message (topic, seq);

-- Position of each consumer group: the last message that it has handled.
create table group_position (
  group_name text not null,
  topic text not null,
  seq bigint not null default 0,
  primary key (group_name, topic)
);
