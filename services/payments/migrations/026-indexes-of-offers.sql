-- outside a transaction
drop index concurrently if exists line_live_next;

-- At most one sale in progress per item, and many offers.
create unique index concurrently line_live_next on line (item_id) where seller_id is not null
  and (state in ('authorised', 'delivering') or (not conditional and state in ('placed', 'awaiting_payment')));

drop index concurrently if exists line_bid_page;

-- At most one open page per buyer and item. Lines that catalog has not described yet do not count.
create unique index concurrently line_bid_page on line (buyer_id, item_id)
  where conditional and seller_id is not null and state in ('placed', 'awaiting_payment');

drop index concurrently if exists line_open_next;

create index concurrently line_open_next on line (state)
  where state in ('placed', 'awaiting_payment', 'held', 'authorised', 'delivering', 'delivered', 'capture_due');

drop index concurrently if exists orders_bid_held;

-- For the metrics.
create index concurrently orders_bid_held on orders (created_at) include (held_cents, decide_by)
  where order_kind <> 'purchase' and money = 'held' and authorised_at is null;
