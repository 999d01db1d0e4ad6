-- Payments to accounts, marked by an operator.
create table payout (
  id uuid primary key,
  user_id uuid not null,
  amount_cents integer not null check (amount_cents > 0),
  operator text not null,
  reason text not null,
  at timestamptz not null default now()
);

create index payout_of_user on payout (user_id);
create index payout_age on payout (at);

-- One refund per line, requested by an operator. The request is committed before the call to the processor.
create table refund (
  id uuid primary key,
  line_id uuid not null unique references line,
  amount_cents integer not null check (amount_cents > 0),
  state text not null default 'requested' check (state in ('requested', 'succeeded', 'failed')),
  attempt integer not null default 1,
  processor_id text,
  error text,
  requested_at timestamptz not null default now(),
  resolved_at timestamptz,
  -- When the worker submits it next; a failed call postpones it.
  due_at timestamptz not null default now(),
  failures integer not null default 0
);

create index refund_due on refund (due_at) where state = 'requested';

-- What the processor reports against a captured payment, as last read: refunds (ours and those made at the processor),
-- disputes with their inquiries, and early fraud warnings.
create table reversal (
  id text primary key,
  kind text not null check (kind in ('refund', 'dispute', 'fraud_warning')),
  order_id uuid not null references orders,
  -- Our request, for a refund that this store made.
  refund_id uuid references refund,
  status text not null,
  reason text,
  amount_cents integer,
  -- What has left the captured amount: 0 while a refund is pending, after it failed, for an inquiry and after a won dispute.
  withdrawn_cents integer not null default 0 check (withdrawn_cents >= 0),
  created_at timestamptz not null,
  -- Who bears the loss, and the lines that it concerns when an operator named them.
  borne_by text not null default 'platform' check (borne_by in ('platform', 'seller')),
  line_ids uuid[],
  -- True for a part of an order of several lines until an operator names the lines: their payouts wait.
  ambiguous boolean not null default false,
  -- True once the buyer's mail about the refund was published.
  published boolean not null default false,
  at timestamptz not null default now()
);

create index reversal_of_order on reversal (order_id);

-- The books. Per line, the entries add up to what was captured less what was refunded and withdrawn by disputes; those of
-- a written-off line to 0. `sale` belongs to the seller, `royalty` to the creator; `commission` and `platform` to the platform.
create table book_entry (
  id bigint generated always as identity primary key,
  line_id uuid not null references line,
  kind text not null check (kind in ('sale', 'royalty', 'commission', 'platform')),
  user_id uuid,
  amount_cents integer not null,
  cause text not null check (cause in ('capture', 'write_off', 'refund', 'dispute', 'assignment')),
  reversal_id text references reversal,
  at timestamptz not null default now(),
  payout_id uuid references payout,
  check ((kind in ('sale', 'royalty')) = (user_id is not null)),
  check ((cause in ('capture', 'write_off')) = (reversal_id is null)),
  check (payout_id is null or user_id is not null)
);

-- A line is booked once; everything later is a reversal.
create unique index book_entry_opening on book_entry (line_id, kind) where cause in ('capture', 'write_off');
create index book_entry_of_line on book_entry (line_id);
create index book_entry_of_user on book_entry (user_id, at) where user_id is not null;
create index book_entry_unpaid on book_entry (user_id, line_id) where user_id is not null and payout_id is null;

create function book_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.payout_id is not null
    or (new.id, new.line_id, new.kind, new.user_id, new.amount_cents, new.cause, new.reversal_id, new.at)
    is distinct from
    (old.id, old.line_id, old.kind, old.user_id, old.amount_cents, old.cause, old.reversal_id, old.at) then
    raise exception 'book entries are append-only' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger book_guard before update or delete on book_entry for each row execute function book_guard();
create trigger payout_append_only before update or delete on payout for each row execute function append_only();
create trigger book_no_truncate before truncate on book_entry for each statement execute function append_only();

-- Where to pay an account that was deleted while money was owed to it; erased once nothing is.
create table payee (
  user_id uuid primary key,
  first_name text not null,
  username text not null,
  email text not null,
  deleted_at timestamptz not null
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
-- For the history of an order.
create index stripe_inbox_of_intent on stripe_inbox (intent_id);
create index stripe_inbox_of_order on stripe_inbox (order_id);
-- For the back-fill, which starts at the newest event.
create index stripe_inbox_age on stripe_inbox (created);

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
