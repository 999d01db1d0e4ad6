-- One row per log-in; tokens carry its id. `expires_at` is when its token dies by itself.
create table session (
  id uuid primary key,
  account_id uuid not null references account,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);

create index session_of_account on session (account_id) where ended_at is null;
create index session_ended on session (expires_at) where ended_at is not null;
create index session_expiry on session (expires_at);

-- Failed log-ins in a row. `subject` is an account or, hashed, what was typed in its stead; `device` is empty for
-- all places from where this account never logged in, so that guesses from there do not lock out its owner.
create table login_failure (
  subject text not null,
  device text not null,
  failures integer not null,
  failed_at timestamptz not null default now(),
  blocked_until timestamptz not null,
  primary key (subject, device)
);

create index login_failure_age on login_failure (failed_at);

-- Places (hashed network addresses) from where an account logged in.
create table known_device (
  account_id uuid not null references account,
  device text not null,
  seen_at timestamptz not null default now(),
  primary key (account_id, device)
);

-- Links in mails. Only hashes are kept: who reads this table cannot use them.
create table email_confirmation (
  token_hash text primary key,
  account_id uuid not null references account,
  email text not null,
  purpose text not null check (purpose in ('sign_up', 'new_address')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

create index email_confirmation_of_account on email_confirmation (account_id);

-- Addresses that asked for a reset, known or not; dealt with afterwards, so that the answer takes equally long.
create table password_reset_request (
  id uuid primary key default uuidv7(),
  email text not null,
  requested_at timestamptz not null default now()
);

create table password_reset (
  token_hash text primary key,
  account_id uuid not null references account,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

create index password_reset_of_account on password_reset (account_id);

-- What an account may do only so often per hour.
create table quota_use (
  account_id uuid not null references account,
  action text not null,
  at timestamptz not null default now()
);

create index quota_use_recent on quota_use (account_id, action, at);
create index quota_use_age on quota_use (at);

-- Texts that wait for a wallet's signature: one per account, the newest.
create table wallet_challenge (
  account_id uuid primary key references account,
  wallet_key text not null,
  message text not null,
  expires_at timestamptz not null
);

-- Every avatar file from before it is written until after it is removed, so that a killed process leaves none behind.
create table avatar_file (
  name text primary key,
  account_id uuid not null references account,
  created_at timestamptz not null default now()
);

-- An account that is deleted takes along what was said about it.
create index outbox_key on outbox (key);
