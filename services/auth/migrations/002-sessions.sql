-- One row per log-in; its token contains the id. `expires_at` is the expiry of the token. `browser` and `network` (an address
-- prefix) are for the owner's list of sessions.
create table session (
  id uuid primary key,
  account_id uuid not null references account,
  browser text not null,
  network text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);

create index session_of_account on session (account_id) where ended_at is null;
create index session_ended on session (expires_at) where ended_at is not null;
create index session_expiry on session (expires_at);

-- Consecutive failed log-ins. `subject` is an account or, for an unknown one, the hash of the typed address.
-- `origin_key` is a known device or network of the account; it is empty for all others together, so that attempts from
-- elsewhere do not delay the owner.
create table login_failure (
  subject text not null,
  origin_key text not null,
  failures integer not null,
  failed_at timestamptz not null default now(),
  blocked_until timestamptz not null,
  primary key (subject, origin_key)
);

create index login_failure_age on login_failure (failed_at);

-- Devices and networks from which an account logged in, as SHA-256 of account and device or network. A device is a random
-- id in the browser's storage, which is worth nothing without the password.
create table known_origin (
  account_id uuid not null references account,
  origin_key text not null,
  seen_at timestamptz not null default now(),
  primary key (account_id, origin_key)
);

-- Tokens of links in mails. Only hashes are stored, so that a leaked table contains no usable link.
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

-- Queue of reset requests, for existing and unknown addresses alike: processing them later keeps response times equal.
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

-- Links in mails about changes of an account: each freezes the account. `email` is the address before the change.
create table freeze_link (
  token_hash text primary key,
  account_id uuid not null references account,
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index freeze_link_of_account on freeze_link (account_id);
create index freeze_link_of_address on freeze_link (lower(email));

-- Uses of limited actions in the last hour.
create table quota_use (
  account_id uuid not null references account,
  action text not null,
  at timestamptz not null default now()
);

create index quota_use_recent on quota_use (account_id, action, at);
create index quota_use_age on quota_use (at);

-- Texts to be signed by a wallet: the newest one per account and purpose.
create table wallet_challenge (
  account_id uuid not null references account,
  purpose text not null check (purpose in ('link', 'step_up')),
  wallet_key text not null,
  message text not null,
  expires_at timestamptz not null,
  primary key (account_id, purpose)
);

-- Avatar files, inserted before the file is written and deleted after it is removed: interrupted processes leave no
-- untracked file.
create table avatar_file (
  name text primary key,
  account_id uuid not null references account,
  created_at timestamptz not null default now()
);

-- For deleting an account, which deletes its published events from the outbox.
create index outbox_key on outbox (key);
