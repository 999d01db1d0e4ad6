-- Whom to write to: a copy of what auth says of its accounts.
create table contact (
  user_id uuid primary key,
  version integer not null,
  email text not null,
  first_name text not null,
  wants_messages boolean not null,
  -- A deleted account stays until its open lines are over (reliability-and-security A1), then the row goes.
  deleted_at timestamptz
);

-- Lines of orders that hold money: their people still have to be told how it ends.
create table open_line (
  line_id uuid primary key,
  buyer_id uuid not null,
  seller_id uuid not null
);
create index open_line_buyer on open_line (buyer_id);
create index open_line_seller on open_line (seller_id);

create table subscriber (
  email text primary key,
  -- SHA-256 of the token in the mail; null once confirmed.
  token_hash bytea unique,
  asked_at timestamptz not null default now(),
  confirmed_at timestamptz
);

-- Every mail, once per template and subject. Its words are dropped when it was sent: they may carry a token.
create table mail (
  id uuid primary key default uuidv7(),
  template text not null,
  subject_id text not null,
  recipient text not null,
  reply_to text,
  subject text not null,
  text text,
  html text,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  error text,
  queued_at timestamptz not null default now(),
  sent_at timestamptz,
  given_up_at timestamptz,
  unique (template, subject_id)
);
create index mail_waiting on mail (next_attempt_at) where sent_at is null and given_up_at is null;
