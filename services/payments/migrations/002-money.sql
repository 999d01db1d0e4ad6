-- What each completed line brought, and to whom; the house's entries have no user. Together they are the line's price.
create table payout (
  id uuid primary key,
  user_id uuid not null,
  amount_cents integer not null check (amount_cents > 0),
  who text not null,
  why text not null,
  at timestamptz not null default now()
);

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
    raise exception 'the books are written once' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger book_guard before update or delete on book_entry for each row execute function book_guard();
create trigger payout_kept before update or delete on payout for each row execute function never_changes();

-- One refund per line, of the whole line. The operator's request is stored before the processor is asked.
create table refund (
  id uuid primary key,
  line_id uuid not null unique references line,
  amount_cents integer not null check (amount_cents > 0),
  state text not null default 'asked' check (state in ('asked', 'succeeded', 'failed')),
  attempt integer not null default 1,
  processor_id text,
  error text,
  asked_at timestamptz not null default now(),
  settled_at timestamptz
);

-- Disputes and early fraud warnings, as the processor last described them.
create table dispute (
  id text primary key,
  kind text not null check (kind in ('dispute', 'fraud_warning')),
  order_id uuid not null references orders,
  status text not null,
  amount_cents integer,
  reason text,
  at timestamptz not null default now()
);

-- Events of the processor, each once. What they say of cards and people is not kept: only what they are about.
create table stripe_inbox (
  event_id text primary key,
  type text not null,
  created timestamptz not null,
  session_id text,
  intent_id text,
  order_id uuid,
  subject text,
  facts jsonb not null default '{}',
  -- By the webhook, or fetched by ourselves.
  fetched boolean not null,
  received_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  failures integer not null default 0,
  handled_at timestamptz,
  outcome text
);

create index stripe_inbox_waiting on stripe_inbox (due_at) where handled_at is null;
create index stripe_inbox_of_session on stripe_inbox (session_id);

-- What a person should know. The same thing about the same subject is one row.
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

-- What operators did, and why.
create table operator_action (
  id uuid primary key default uuidv7(),
  action text not null,
  subject text not null,
  who text not null,
  why text not null,
  at timestamptz not null default now()
);

create trigger operator_action_kept before update or delete on operator_action
  for each row execute function never_changes();
