-- Every event ever published by this store, in the order of its publication.
create table message (
  seq bigint generated always as identity primary key,
  id uuid not null unique,
  topic text not null,
  key text not null,
  name text not null,
  data jsonb not null,
  correlation_id text,
  published_at timestamptz not null default now()
);

create index message_topic on message (topic, seq);

-- How far each group has come.
create table group_position (
  group_name text not null,
  topic text not null,
  seq bigint not null default 0,
  primary key (group_name, topic)
);
