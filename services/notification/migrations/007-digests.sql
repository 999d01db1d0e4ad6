set local lock_timeout = '2s';

-- Null: of a former release.
alter table notice add column artist_id uuid;

-- The mail to a follower about what an artist listed on one UTC day, once that day is over (digests/).
create table digest (
  user_id uuid not null,
  -- Of a notice without an artist: its item.
  artist_id uuid not null,
  day date not null,
  -- While another service is asked whether the account may get it, no other process does the same.
  claimed_until timestamptz,
  primary key (day, user_id, artist_id)
);
