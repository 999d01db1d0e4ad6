-- What the operator's figures ask at every scrape, however many orders there were.
create index line_open on line (state)
  where state in ('placed', 'awaiting_payment', 'authorised', 'delivering', 'delivered', 'capture_due');
create index orders_held on orders (authorised_at) include (held_cents) where money = 'held';
create index orders_age on orders (created_at);
create index alarm_age on alarm (last_at);

-- When books and processor were compared, and whether they agreed: a job that never runs is noticed by its absence.
create table reconciliation (
  id uuid primary key default uuidv7(),
  balanced boolean not null,
  differences integer not null,
  at timestamptz not null default now()
);

create index reconciliation_age on reconciliation (at);
