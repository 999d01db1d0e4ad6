set local lock_timeout = '2s';

-- `orders_days_check` holds for bids, too: only an offer has days.
alter table orders drop constraint orders_kind_check;
alter table orders add constraint orders_kind_check check (order_kind in ('purchase', 'offer', 'bid')) not valid;

-- The bidder has confirmed an unusual amount: a later transaction begins the bid in catalog.
alter table orders add column sure boolean not null default false;
