-- Payments to accounts, marked by an operator.
create table payout (
  id uuid primary key,
  user_id uuid not null,
  amount_cents integer not null check (amount_cents > 0),
  operator text not null,
  reason text not null,
  at timestamptz not null default now()
);

-- The shares of each completed line. They add up to its price; the platform's share, `commission`, has no user.
create table book_entry (
  line_id uuid not null references line,
  kind text not null check (kind in ('sale', 'royalty', 'commission')),
  user_id uuid,
  amount_cents integer not null check (amount_cents >= 0),
  at timestamptz not null default now(),
  payout_id uuid references payout,
  primary key (line_id, kind),
  check ((kind = 'commission') = (user_id is null))
);

create index book_entry_of_user on book_entry (user_id) where user_id is not null;

create function book_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.payout_id is not null or (new.line_id, new.kind, new.user_id, new.amount_cents, new.at)
    is distinct from (old.line_id, old.kind, old.user_id, old.amount_cents, old.at) then
    raise exception 'book entries are append-only' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger book_guard before update or delete on book_entry for each row execute function book_guard();
create trigger payout_append_only before update or delete on payout for each row execute function append_only();
create trigger book_no_truncate before truncate on book_entry for each statement execute function append_only();

-- One refund per line, of its whole price. The request is committed before the call to the processor.
create table refund (
  id uuid primary key,
  line_id uuid not null unique references line,
  amount_cents integer not null check (amount_cents > 0),
  state text not null default 'requested' check (state in ('requested', 'succeeded', 'failed')),
  attempt integer not null default 1,
  processor_id text,
  error text,
  requested_at timestamptz not null default now(),
  resolved_at timestamptz
);

-- Disputes and early fraud warnings, with the latest state of the processor.
create table dispute (
  id text primary key,
  kind text not null check (kind in ('dispute', 'fraud_warning')),
  order_id uuid not null references orders,
  status text not null,
  amount_cents integer,
  reason text,
  at timestamptz not null default now()
);

-- Events of the processor, each once. Identifiers only: card and personal data is not stored.
create table stripe_inbox (
  event_id text primary key,
  type text not null,
  created timestamptz not null,
  session_id text,
  intent_id text,
  order_id uuid,
  subject text,
  facts jsonb not null default '{}',
  -- False: received by webhook. True: fetched by the back-fill.
  fetched boolean not null,
  received_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  failures integer not null default 0,
  handled_at timestamptz,
  outcome text,
  -- The trace of the webhook request; null without tracing.
  traceparent text
);

create index stripe_inbox_waiting on stripe_inbox (due_at) where handled_at is null;
create index stripe_inbox_of_session on stripe_inbox (session_id);

-- What needs an operator: one row per name and subject, with the number of repetitions.
create table alarm (
  name text not null,
  subject text not null,
  order_id uuid,
  detail text not null,
  times integer not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (name, subject)
);

create index alarm_of_order on alarm (order_id);
create index alarm_age on alarm (last_at);
