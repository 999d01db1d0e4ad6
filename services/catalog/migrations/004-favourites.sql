-- Works that an account has marked.
create table favourite (
  user_id uuid not null,
  item_id uuid not null references item (id),
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, item_id)
);
create index favourite_newest on favourite (user_id, created_at desc, item_id);
create index favourite_item on favourite (item_id, user_id);

-- Artists whom an account follows.
create table follow (
  user_id uuid not null,
  artist_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, artist_id)
);
create index follow_newest on follow (user_id, created_at desc, artist_id);
create index follow_artist on follow (artist_id, user_id);
