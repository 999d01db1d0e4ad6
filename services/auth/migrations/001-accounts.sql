-- Accounts. A deleted account stays as a tombstone, so that its id and its username are not used again.
create table account (
  id uuid primary key,
  username text,
  -- SHA-256 of the lower-case username: reserves the name of a deleted account without storing it.
  username_key text not null unique,
  email text,
  email_key text unique,
  pending_email text,
  email_confirmed_at timestamptz,
  password_hash text,
  first_name text not null default '',
  last_name text not null default '',
  occupation text not null default '',
  description text not null default '',
  phonenum text not null default '',
  links jsonb not null default '{}',
  notifications jsonb not null,
  avatar text,
  -- EIP-55 checksum form; `wallet_key` is the lower-case form.
  wallet text,
  wallet_key text unique,
  wallet_proven boolean not null default false,
  wallet_proven_at timestamptz,
  -- The request that linked it had a step-up token.
  wallet_stepped_up boolean not null default false,
  -- The newest change of wallet, address or password after which withdrawals wait.
  withdrawals_wait_since timestamptz,
  admin boolean not null default false,
  suspended_at timestamptz,
  -- Frozen by the link of a mail about a change. `frozen_email` is the address that the mail went to: a reset through it
  -- ends the freeze. `frozen_link_at` is the time of the mail; the link of an earlier mail takes precedence.
  frozen_at timestamptz,
  frozen_email text,
  frozen_link_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (email_key = lower(email)),
  check (wallet_key = lower(wallet)),
  check ((wallet is null) = (wallet_key is null)),
  check (wallet is not null or not (wallet_proven or wallet_stepped_up)),
  check (wallet_proven = (wallet_proven_at is not null)),
  check (num_nonnulls(frozen_at, frozen_email, frozen_link_at) in (0, 3)),
  check (wallet_key not in ('0x0000000000000000000000000000000000000000', '0x000000000000000000000000000000000000dead')),
  constraint tombstone check (
    case when deleted_at is null then username is not null and email is not null and password_hash is not null
    else username is null and email is null and email_key is null and pending_email is null and password_hash is null
      and first_name = '' and last_name = '' and occupation = '' and description = '' and phonenum = ''
      and links = '{}' and avatar is null and wallet is null and frozen_at is null and not admin end)
);

create index account_frozen on account (lower(frozen_email)) where frozen_at is not null;

-- Usernames from sign-ups with the address of an existing account. They are unavailable for a while, as if the sign-up
-- had succeeded: a second sign-up must not reveal whether the address exists.
create table username_reservation (
  username_key text primary key,
  expires_at timestamptz not null
);

-- Rights change by operators only: a change of `admin` or `suspended_at` requires an entry in audit_log on this account,
-- written in the same transaction. Deleting an account revokes rights and needs no entry.
create function account_rights() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.admin or new.suspended_at is not null then
      raise exception 'an account starts without rights and without suspension';
    end if;
    return new;
  end if;
  if old.deleted_at is not null then
    raise exception 'a deleted account does not change';
  end if;
  if new.deleted_at is not null then
    return new;
  end if;
  if (new.admin, new.suspended_at) is distinct from (old.admin, old.suspended_at) and not exists (
    select from audit_log
    where id = nullif(current_setting('auth.audit_entry', true), '')::uuid and subject = new.id::text
      and action in ('grant-admin', 'revoke-admin', 'suspend-account', 'reinstate-account')
  ) then
    raise exception 'admin and suspended_at change by an operator only';
  end if;
  return new;
end $$;

create trigger account_rights before insert or update on account for each row execute function account_rights();
