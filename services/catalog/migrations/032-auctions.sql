set local lock_timeout = '2s';

-- Rows of auctions and bids change only under the row lock of the item.
create table auction (
  id uuid primary key default uuidv7(),
  item_id uuid not null references item (id),
  seller_id uuid not null,
  opening_cents integer not null check (opening_cents between 50 and 99999999),
  hours integer not null check (hours between 1 and 72),
  created_at timestamptz not null default clock_timestamp(),
  -- An announced start; null: the first bid starts the clock.
  starts_at timestamptz,
  -- Null until the clock runs; moves on with late bids.
  ends_at timestamptz,
  -- 24 hours after the first end; never changes.
  latest_end_at timestamptz,
  state text not null default 'open'
    check (state in ('open', 'awarded', 'sold', 'unsold', 'cancelled', 'void', 'failed')),
  -- Of a void or a failed one.
  why text,
  -- What the leader would pay now, or what the winner pays.
  price_cents integer,
  leader_order uuid,
  -- Number of bids that stood.
  bids integer not null default 0,
  ended_at timestamptz,
  check ((ends_at is null) = (latest_end_at is null) and ends_at <= latest_end_at),
  check (starts_at is null or ends_at is not null),
  check ((leader_order is null) = (price_cents is null)),
  check (leader_order is null or ends_at is not null),
  check (state not in ('awarded', 'sold', 'failed') or leader_order is not null),
  check (state not in ('unsold', 'cancelled', 'void') or leader_order is null),
  check ((state in ('void', 'failed')) = (why is not null)),
  check ((state in ('open', 'awarded')) = (ended_at is null))
);

create unique index auction_living on auction (item_id) where state in ('open', 'awarded');
create index auction_due on auction (ends_at) where state = 'open';
-- For operators, and for exports of own data.
create index auction_newest on auction (created_at desc, id desc);
create index auction_newest_of_item on auction (item_id, created_at desc, id desc);
create index auction_newest_of_seller on auction (seller_id, created_at desc, id desc);

create table bid (
  order_id uuid primary key,
  auction_id uuid not null references auction (id),
  bidder_id uuid not null,
  -- Lower case; null: into custody.
  wallet text,
  -- The most that the bidder would pay: in no response to others.
  limit_cents integer not null check (limit_cents between 50 and 99999999),
  -- started: its payment page is open. leading: its card is held. won: the work is reserved for it. ended: why.
  state text not null default 'started' check (state in ('started', 'leading', 'won', 'ended')),
  why text,
  started_at timestamptz not null default clock_timestamp(),
  -- When it stood, and the price after it: an entry of the public history.
  stood_at timestamptz,
  price_cents integer,
  -- It led, and its hold was lost or an operator ended it.
  withdrawn boolean not null default false,
  check ((state = 'ended') = (why is not null)),
  check ((stood_at is null) = (price_cents is null)),
  check (state not in ('leading', 'won') or stood_at is not null),
  check (not withdrawn or state = 'ended')
);

create unique index bid_leading on bid (auction_id) where state in ('leading', 'won');
create index bid_living on bid (auction_id) where state in ('started', 'leading');
create index bid_started on bid (started_at) where state = 'started';
create index bid_history on bid (auction_id, stood_at) where stood_at is not null;
create index bid_newest_of_auction on bid (auction_id, started_at desc, order_id desc);
create index bid_newest_of_bidder on bid (bidder_id, started_at desc, order_id desc);

-- When the worker last looked at running auctions: a gap is an outage, and moves the ends that are in it.
create table auction_clock (
  id boolean primary key default true check (id),
  seen_at timestamptz not null default clock_timestamp()
);
insert into auction_clock default values;

-- The auction that is not decided, or whose work is reserved for the winner.
alter table item add column auction_id uuid;
-- Not validated: no work is on auction yet.
alter table item
  add constraint item_auction_id_fkey foreign key (auction_id) references auction (id) not valid,
  add constraint auction_is_not_for_sale check (auction_id is null or not for_sale) not valid,
  add constraint open_auction_is_shown_and_owned
    check (auction_id is null or reserved_order is not null or (hidden_at is null and owner_id is not null)) not valid;

-- Item pages and the history of bids are cached.
create constraint trigger auction_bumps_generation after insert or update on auction
  deferrable initially deferred for each row execute function bump_on_change();
