set local lock_timeout = '2s';

-- Of this Customer and the e-mail address that it has at the processor. Null: it has none, or an unknown one.
alter table card_customer add column email_digest text;

-- A Customer whose creation was requested, until its id is stored. If the response was lost, it exists at the processor
-- with the address: the next page repeats the request with these parameters, else it is looked up, and deleted.
create table card_customer_creation (
  user_id uuid not null,
  number integer not null check (number > 0),
  -- Null: an address that the processor refuses.
  email text,
  requested_at timestamptz not null default now(),
  -- While the request may be under way it is not looked up.
  due_at timestamptz not null default now() + interval '1 minute',
  failures integer not null default 0,
  primary key (user_id, number)
);
create index card_customer_creation_due on card_customer_creation (due_at);

-- The parameters of a payment page are replaced, under another idempotency key, when the processor no longer has their
-- Customer.
alter table orders add column session_number integer not null default 1;
