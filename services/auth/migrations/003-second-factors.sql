-- The authenticator app (RFC 6238) of an account. `secret` is encrypted with SECOND_FACTOR_KEY. Without `confirmed_at` it is
-- being set up, and log-ins do not need it.
create table totp (
  account_id uuid primary key references account,
  secret text not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  -- The newest 30-second step whose code was accepted: codes of this step and of earlier ones are refused.
  last_step bigint not null default 0
);

create index totp_unconfirmed on totp (created_at) where confirmed_at is null;

-- Codes for owners without their app: 118 random bits each, so SHA-256 suffices. A used one is deleted.
create table recovery_code (
  account_id uuid not null references account,
  code_hash text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, code_hash)
);

-- Log-ins whose password was right and whose second factor is awaited.
create table login_challenge (
  token_hash text primary key,
  account_id uuid not null references account,
  expires_at timestamptz not null
);

create index login_challenge_of_account on login_challenge (account_id);
