set local lock_timeout = '2s';

-- What is news of an auction, once each, for the accounts that marked its work: a worker publishes it in portions.
create table auction_news (
  auction_id uuid not null references auction (id),
  what text not null check (what in ('began', 'ends')),
  at timestamptz not null default clock_timestamp(),
  -- The last account of the portions that were published.
  after uuid not null default '00000000-0000-0000-0000-000000000000',
  published boolean not null default false,
  primary key (auction_id, what)
);

create index auction_news_waiting on auction_news (at) where not published;
