set local lock_timeout = '2s';

-- What operators write about an order for each other. Its buyer does not see it.
create table order_note (
  id uuid primary key,
  order_id uuid not null references orders,
  operator text not null,
  text text not null check (length(text) between 1 and 2000),
  at timestamptz not null default now()
);
create index order_note_of_order on order_note (order_id, at);

-- An acknowledgement without an end is one until the alarm or the difference changes.
alter table alarm add column acknowledged_until timestamptz;
alter table reconciliation_difference add column acknowledged_until timestamptz;
