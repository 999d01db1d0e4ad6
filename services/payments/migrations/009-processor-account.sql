set local lock_timeout = '2s';
-- However long it takes. Orders are read and changed meanwhile; at the end the inbox is not written until the commit.
set local statement_timeout = 0;

-- One row. The account of the card processor to which the sessions and payments of this database belong, and its mode.
create table processor_account (
  id boolean primary key default true check (id),
  account_id text not null,
  livemode boolean not null,
  first_seen_at timestamptz not null default now()
);

-- The versions of the terms that were in force, each with its first day, and until when: null for the present one. Orders
-- name what their clients wrote, so none of theirs is imported.
create table terms_version (
  version text primary key check (length(version) between 1 and 40),
  first_day date not null default current_date,
  replaced_at timestamptz
);

-- For the metric: events about payments of other shops on the same account.
create index stripe_inbox_of_other_shops on stripe_inbox (created) where outcome = 'of another shop';
