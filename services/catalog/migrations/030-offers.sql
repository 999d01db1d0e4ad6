set local lock_timeout = '2s';

-- The lowest price, cents, from which the owner takes offers; null: takes none.
alter table item add column offer_minimum_cents integer;
-- Not validated: no work has a minimum yet.
alter table item add constraint item_offer_minimum_cents_check
  check (offer_minimum_cents between 50 and 99999999) not valid;

-- Orders whose card is held until the owner of a work decides. Rows change only under the row lock of the item.
create table offer (
  order_id uuid primary key,
  item_id uuid not null references item (id),
  -- The one who decides: a new owner has no offers of before.
  owner_id uuid not null,
  buyer_id uuid not null,
  -- Lower case; null: into custody.
  wallet text,
  price_cents integer not null check (price_cents between 50 and 99999999),
  days integer not null check (days in (1, 3, 5)),
  -- started: its payment page is open. open: its card is held. accepted: the work is reserved for it. ended: why.
  state text not null default 'started' check (state in ('started', 'open', 'accepted', 'ended')),
  why text,
  started_at timestamptz not null default clock_timestamp(),
  -- Null until its card is held.
  ends_at timestamptz,
  check ((state = 'ended') = (why is not null)),
  check (state not in ('open', 'accepted') or ends_at is not null),
  check (buyer_id <> owner_id)
);

create unique index offer_of_buyer on offer (buyer_id, item_id) where state in ('started', 'open');
create unique index offer_accepted on offer (item_id) where state = 'accepted';
create index offer_living on offer (item_id, price_cents desc) where state in ('started', 'open');
create index offer_to_decide on offer (owner_id) where state in ('open', 'accepted');
create index offer_due on offer (ends_at) where state = 'open';
create index offer_started on offer (started_at) where state = 'started';
-- For operators, and for exports of own data.
create index offer_newest on offer (started_at desc, order_id desc);
create index offer_newest_of_item on offer (item_id, started_at desc, order_id desc);
create index offer_newest_of_owner on offer (owner_id, started_at desc, order_id desc);
create index offer_newest_of_buyer on offer (buyer_id, started_at desc, order_id desc);

-- An item page shows the number of open offers and the highest one.
create constraint trigger offer_bumps_generation after update on offer
  deferrable initially deferred for each row when ((old.state = 'open') is distinct from (new.state = 'open'))
  execute function bump_on_change();
