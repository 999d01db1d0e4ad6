-- Passkeys (WebAuthn) of an account. Ids and keys are base64url; `public_key` is a COSE key.
create table passkey (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account,
  credential_id text not null unique,
  public_key text not null,
  -- Of the last accepted signature; 0 for authenticators that do not count.
  counter bigint not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

create index passkey_of_account on passkey (account_id);

-- Challenges that were issued and not used yet. SHA-256 (hex); `account_id` is null for a log-in, whose account is not known.
create table passkey_challenge (
  challenge_hash text primary key,
  purpose text not null check (purpose in ('register', 'log_in', 'step_up')),
  account_id uuid references account,
  expires_at timestamptz not null,
  check ((account_id is null) = (purpose = 'log_in'))
);

create index passkey_challenge_of_account on passkey_challenge (account_id) where account_id is not null;
create index passkey_challenge_expiry on passkey_challenge (expires_at);
