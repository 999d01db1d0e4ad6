set local lock_timeout = '2s';

-- At most one row: until then no order is started.
create table sales_pause (
  id boolean primary key default true check (id),
  until timestamptz not null,
  operator text not null,
  reason text not null,
  at timestamptz not null default now()
);
