-- Comparing orders, book entries, the processor and the chain. An order counts the changes of its money since it was last
-- compared and agreed: a run reads only what is not 0 here and what the others recorded since the run before.
alter table orders add column unreconciled_changes integer not null default 0;
create index orders_unreconciled on orders (id) where unreconciled_changes > 0;

create function order_money_changed() returns trigger language plpgsql as $$
begin
  if (new.money, new.held_cents, new.captured_cents, new.intent_id)
    is distinct from (old.money, old.held_cents, old.captured_cents, old.intent_id) then
    new.unreconciled_changes := old.unreconciled_changes + 1;
  end if;
  return new;
end $$;

create trigger order_money_changed before update on orders for each row execute function order_money_changed();

create function order_booked() returns trigger language plpgsql as $$
begin
  update orders set unreconciled_changes = unreconciled_changes + 1
    where id = (select order_id from line where line.id = new.line_id);
  return null;
end $$;

create trigger order_booked after insert on book_entry for each row execute function order_booked();

-- One run, page by page. The row is locked during a page, so that any process can continue it.
create table reconciliation (
  id uuid primary key default uuidv7(),
  -- Compared is what the processor and the chain recorded from `since` until `until`, and every unreconciled order. Once the
  -- run is finished, everything before `until` has been compared.
  since timestamptz not null,
  until timestamptz not null default now(),
  -- Everything is compared again: all orders, and all since the database was created.
  is_full boolean not null,
  -- The step and its place; null once finished.
  step text,
  cursor text,
  -- Number of compared things by step, and sums of the compared orders in cents.
  compared jsonb not null default '{}',
  ours jsonb not null default '{}',
  processor jsonb not null default '{}',
  -- When the next page runs, and why the last one failed.
  next_page_at timestamptz not null default now(),
  failures integer not null default 0,
  error text,
  finished_at timestamptz,
  differences integer,
  check ((step is null) = (finished_at is not null)),
  check ((finished_at is null) = (differences is null))
);

create unique index reconciliation_running on reconciliation ((true)) where finished_at is null;
create index reconciliation_age on reconciliation (until);

-- Open differences. A run compares each again and deletes those that are resolved.
create table reconciliation_difference (
  kind text not null check (kind in ('order', 'intent', 'payout', 'line', 'token')),
  subject text not null,
  order_id uuid,
  intent_id text,
  detail text not null,
  found_at timestamptz not null default now(),
  primary key (kind, subject)
);
