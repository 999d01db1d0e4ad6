set local lock_timeout = '2s';

-- The Customer of an account at the processor, which has the cards that the account saved on the payment page. Nothing
-- of a card is here.
create table card_customer (
  user_id uuid primary key,
  -- Null: none was created yet, or it was deleted.
  customer_id text unique,
  -- Part of the idempotency key of its creation: the processor repeats an earlier response, also about a deleted one.
  number integer not null default 1 check (number > 0),
  -- When it was created here, or deleted. A restored database takes a later one from the sessions of the processor.
  since timestamptz not null default now(),
  -- It is deleted at the processor as soon as no page and no hold needs it; until then no new page uses it.
  forget_requested_at timestamptz,
  -- The row goes with it.
  account_deleted boolean not null default false,
  due_at timestamptz not null default now(),
  failures integer not null default 0,
  check (customer_id is not null or (forget_requested_at is null and not account_deleted))
);
create index card_customer_to_forget on card_customer (due_at) where forget_requested_at is not null;
