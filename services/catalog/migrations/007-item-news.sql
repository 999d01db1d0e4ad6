-- What happened to an item and is to be published for the accounts that marked it, or that follow its artist. A worker
-- publishes it in portions, so that a listing does not wait for thousands of accounts.
create table item_news (
  id bigint generated always as identity primary key,
  item_id uuid not null references item (id),
  what text not null check (what in ('cheaper', 'sold', 'available', 'listed')),
  -- Accounts that caused it.
  except_ids uuid[] not null,
  at timestamptz not null,
  -- The last account of the portions that were published.
  after uuid not null default '00000000-0000-0000-0000-000000000000'
);
