set local lock_timeout = '2s';

-- What people without the admin flag write who want to sell their works; at most one of an account waits for its answer.
create table seller_application (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account (id),
  links text[] not null check (cardinality(links) between 1 and 5),
  message text not null,
  state text not null default 'waiting' check (state in ('waiting', 'granted', 'declined')),
  -- What the operator wrote to the applicant; empty where nothing.
  answer text not null default '',
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  check ((state = 'waiting') = (answered_at is null))
);
create unique index on seller_application (account_id) where state = 'waiting';
create index on seller_application (account_id, created_at);
create index on seller_application (created_at) where state = 'waiting';
