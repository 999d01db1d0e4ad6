-- An order is one card hold for up to ten items. Its state is derived from its lines.
create table orders (
  id uuid primary key,
  buyer_id uuid not null,
  -- Null: into custody for the buyer.
  wallet text check (wallet ~ '^0x[0-9a-fA-F]{40}$'),
  terms_version text not null check (length(terms_version) between 1 and 40),
  total_cents integer not null check (total_cents >= 50),
  commission_bps integer not null check (commission_bps between 0 and 5000),
  created_at timestamptz not null default now(),
  -- When it was rebuilt from its session, because this database was restored from a backup without it.
  rebuilt_at timestamptz,

  -- The Checkout Session. `session_request` holds the exact parameters and is committed before the first call; `json`
  -- keeps the text unchanged.
  expires_at timestamptz not null,
  session_request json,
  session_requested_at timestamptz,
  session_id text unique,
  session_url text,

  -- The hold.
  intent_id text unique,
  money text not null default 'none' check (money in ('none', 'held', 'captured', 'released', 'lapsed')),
  held_cents integer not null default 0 check (held_cents >= 0),
  authorised_at timestamptz,
  deliver_by timestamptz,
  -- When the card's bank ends the hold; null when the processor does not report it.
  capture_before timestamptz,
  capture_cents integer check (capture_cents > 0 and capture_cents <= held_cents),
  capture_attempt integer not null default 1,
  capture_requested_at timestamptz,
  captured_cents integer not null default 0 check (captured_cents >= 0),

  -- A pending cancellation request; `order.ts` has the rules.
  cancel_requested_by text
    check (cancel_requested_by in ('seller', 'account', 'timeout', 'buyer', 'operator', 'dispute')),

  -- When the worker runs the next step; null when nothing is scheduled.
  next_run_at timestamptz,
  -- The next run only reads whether an open page was paid: all other due runs go first.
  next_run_is_poll boolean not null default false,
  failures integer not null default 0,

  -- The trace of the purchase, which all later steps continue; null without tracing.
  traceparent text,

  check ((money = 'captured') = (captured_cents > 0)),
  check (captured_cents in (0, capture_cents)),
  check (money = 'none' or intent_id is not null)
);

-- One row. Until when every Checkout Session has an order here; a restored database continues from its backup.
create table session_scan (
  id boolean primary key default true check (id),
  read_until timestamptz not null default now()
);
insert into session_scan default values;

create index orders_due on orders (next_run_is_poll, next_run_at) where next_run_at is not null;
create index orders_of_buyer on orders (buyer_id, created_at desc);
-- For the metrics, which are collected on every scrape.
create index orders_held on orders (authorised_at) include (held_cents, capture_before) where money = 'held';
create index orders_age on orders (created_at);

create table line (
  id uuid primary key,
  order_id uuid not null references orders,
  position integer not null,
  buyer_id uuid not null,
  item_id uuid not null,
  price_cents integer not null check (price_cents between 50 and 99999999),
  -- The line's part of the captured amount.
  captured_cents integer not null default 0 check (captured_cents between 0 and price_cents),
  state text not null default 'placed',
  reason text check (reason in ('cancelled', 'expired', 'undeliverable')),
  -- Copied into the history with each state.
  note text,
  tx_hash text,

  -- Catalog's description at the reservation. Immutable, except that the seller's name is erased with the account.
  contract text,
  identifier text,
  name text,
  image text,
  seller_id uuid,
  seller_username text,
  creator_id uuid,
  royalty_bps integer check (royalty_bps between 0 and 10000),
  listing_version integer,

  unique (order_id, item_id),
  check (seller_id <> buyer_id),
  check ((state = 'released') = (reason is not null)),
  check (state in ('placed', 'released') or seller_id is not null)
);

-- At most one sale in progress per item. Lines that catalog has not reserved yet do not count.
create unique index line_live on line (item_id)
  where seller_id is not null and state in ('placed', 'awaiting_payment', 'authorised', 'delivering');
create index line_of_item on line (item_id, buyer_id);
create index line_of_seller on line (seller_id);
create index line_of_creator on line (creator_id);
-- For the metrics.
create index line_open on line (state)
  where state in ('placed', 'awaiting_payment', 'authorised', 'delivering', 'delivered', 'capture_due');

-- The transitions of `line.ts`; a test compares the two.
create table line_transition (from_state text not null, to_state text not null, primary key (from_state, to_state));
insert into line_transition values
  ('placed', 'awaiting_payment'), ('placed', 'released'),
  ('awaiting_payment', 'authorised'), ('awaiting_payment', 'released'),
  ('authorised', 'delivering'), ('authorised', 'released'),
  ('delivering', 'delivered'), ('delivering', 'released'),
  ('delivered', 'completed'), ('delivered', 'capture_due'), ('delivered', 'written_off'),
  ('capture_due', 'completed'), ('capture_due', 'written_off'),
  ('completed', 'refunded'), ('completed', 'disputed'),
  ('refunded', 'completed'), ('disputed', 'completed');

create table line_history (
  id bigint generated always as identity primary key,
  line_id uuid not null references line,
  from_state text,
  to_state text not null,
  at timestamptz not null default clock_timestamp(),
  note text
);

create index line_history_of_line on line_history (line_id, id);

create function line_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'placed' then
      raise exception 'a line is inserted as placed, not as %', new.state using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (new.id, new.order_id, new.buyer_id, new.item_id, new.price_cents)
    is distinct from (old.id, old.order_id, old.buyer_id, old.item_id, old.price_cents)
    or (old.seller_id is not null and (new.seller_id, new.creator_id, new.royalty_bps, new.contract, new.identifier)
    is distinct from (old.seller_id, old.creator_id, old.royalty_bps, old.contract, old.identifier)) then
    raise exception 'the item of a line is immutable' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not exists (
    select from line_transition where from_state = old.state and to_state = new.state) then
    raise exception 'a line cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function line_record_history() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into line_history (line_id, to_state, note) values (new.id, new.state, new.note);
  elsif new.state <> old.state then
    insert into line_history (line_id, from_state, to_state, note) values (new.id, old.state, new.state, new.note);
  end if;
  return null;
end $$;

create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;

create trigger line_guard before insert or update on line for each row execute function line_guard();
create trigger line_record_history after insert or update on line for each row execute function line_record_history();
create trigger line_append_only before delete on line for each row execute function append_only();
create trigger line_history_append_only before update or delete on line_history for each row execute function append_only();
create trigger line_history_no_truncate before truncate on line_history for each statement execute function append_only();
