set local lock_timeout = '2s';

alter table orders drop constraint orders_cancel_requested_by_check;
alter table orders add constraint orders_cancel_requested_by_check
  check (cancel_requested_by in
    ('seller', 'account', 'timeout', 'declines', 'buyer', 'operator', 'dispute', 'suspension')) not valid;

-- The client's network of an order, as a hash, for a day: how many works one network keeps reserved without paying.
create table order_network (
  order_id uuid primary key references orders,
  network text not null,
  created_at timestamptz not null default now()
);
create index order_network_network on order_network (network, created_at);
create index order_network_age on order_network (created_at);
