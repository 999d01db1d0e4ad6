set local lock_timeout = '2s';

-- Gifts whose link was mailed: the account of their giver is not deleted meanwhile. An ended one stays for a repeated event.
create table open_gift (
  gift_id uuid primary key,
  giver_id uuid not null,
  name text not null,
  ended boolean not null
);
create index open_gift_of_giver on open_gift (giver_id) where not ended;
