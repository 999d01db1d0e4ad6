-- Projection of auth's accounts. Version 0: another event named the account before its first account-changed event.
create table account (
  user_id uuid primary key,
  version integer not null default 0,
  username text,
  first_name text not null default '',
  last_name text not null default '',
  avatar text,
  description text not null default '',
  -- Lower case.
  wallet text,
  admin boolean not null default false,
  suspended boolean not null default false,
  deleted_at timestamptz
);

create index account_username on account (lower(username));

-- Counters in a table of their own, so that incrementing them does not wait for locks on the account.
create table creator (
  user_id uuid primary key,
  works integer not null default 0,
  sales integer not null default 0
);

create index creator_best on creator (sales desc, works desc, user_id) where works > 0;

-- The latest holder of each token, also of tokens whose token-minted event is not consumed yet.
create table holding (
  token text collate "C" primary key,
  owner_id uuid,
  -- Lower case; null while the token is in custody.
  wallet text,
  position bigint not null,
  tx_hash text not null,
  moved_at timestamptz not null
);

create table item (
  id uuid primary key,
  token text collate "C" not null unique,
  -- With checksum (EIP-55).
  contract text not null,
  identifier text not null,
  creator_id uuid not null,
  name text not null,
  description text not null,
  category text not null,
  image text not null,
  width integer not null,
  height integer not null,
  color text not null,
  royalty_bps integer not null,
  minted_at timestamptz not null,

  -- Set by token-moved events only.
  owner_id uuid,
  wallet text,

  price_cents integer check (price_cents between 50 and 99999999),
  for_sale boolean not null default false,
  listed_at timestamptz,
  listing_version integer not null default 0,
  -- The last time that the owner ended the listing: a permit from before does not list the item again.
  delisted_at timestamptz,
  -- The mint requested a listing: made as soon as the item has an owner who may sell.
  list_when_owned boolean not null default false,
  -- Sort key of the market: the time of the last listing, or else of the mint.
  shown_at timestamptz not null,

  reserved_order uuid,
  reserved_by uuid,
  reserved_cents integer,
  reserved_seller uuid,
  -- For display only: payments ends reservations, not this timestamp.
  reserved_until timestamptz,
  delist_requested boolean not null default false,

  hidden_at timestamptz,

  -- Creator, U+001F, name, U+001F, description, U+001F, category; normalised (items/search-text.ts).
  search_text text not null,

  constraint listed_with_price_and_owner check (not for_sale or (price_cents is not null and owner_id is not null)),
  constraint hidden_is_not_for_sale check (not for_sale or hidden_at is null),
  constraint reservation_is_complete check (
    (reserved_order is null) = (reserved_by is null)
    and (reserved_order is null) = (reserved_cents is null)
    and (reserved_order is null) = (reserved_seller is null)
  ),
  constraint delist_request_needs_reservation check (not delist_requested or reserved_order is not null)
) with (fillfactor = 85);

create index item_newest on item (shown_at desc, id desc) where hidden_at is null;
create index item_newest_for_sale on item (shown_at desc, id desc) where for_sale;
create index item_category on item (category, shown_at desc, id desc) where hidden_at is null;
create index item_category_for_sale on item (category, shown_at desc, id desc) where for_sale;
create index item_owner on item (owner_id, shown_at desc, id desc);
create index item_creator on item (creator_id, shown_at desc, id desc);

-- All n-grams of one to three characters. Unlike pg_trgm it matches short words and any script, independently of the
-- server's locale, and needs no extension.
create function search_grams(search_text text) returns text[]
language plpgsql immutable strict parallel safe as $$
declare
  grams text[] := '{}';
  letter text;
  before text := '';
  before_that text := '';
begin
  foreach letter in array string_to_array(search_text, null) loop
    grams := grams || array[letter, before || letter, before_that || before || letter];
    before_that := before;
    before := letter;
  end loop;
  return grams;
end $$;

create index item_search on item using gin (search_grams(search_text));

-- The history that an item page shows. Several events of one chain transaction share one row.
create table item_history (
  id bigint generated always as identity primary key,
  item_id uuid not null references item (id),
  what text not null check (what in ('minted', 'listed', 'moved', 'sold')),
  happened_at timestamptz not null,
  user_id uuid,
  price_cents integer,
  tx_hash text
);

create unique index item_history_tx on item_history (item_id, tx_hash);
create index item_history_newest on item_history (item_id, happened_at desc, id desc);
create index item_history_user on item_history (user_id);

-- One row per order that requested a reservation or was released. `lines` is the response, repeated for a retry; with
-- `released_at` later requests are refused.
create table reservation (
  order_id uuid primary key,
  buyer_id uuid,
  lines jsonb,
  released_at timestamptz,
  created_at timestamptz not null default now()
);

-- The generation: the sum of all changes to what visitors see. Each changing transaction adds one, at its very end (it
-- waits for no other lock afterwards) and in the row of its connection (so that no row is contended). On one server a
-- later snapshot includes all changes of an earlier one: equal sums mean equal responses.
create table market_generation (slot integer primary key, changes bigint not null default 0) with (fillfactor = 20);
insert into market_generation (slot) select generate_series(0, 63);

create procedure bump_market_generation() language plpgsql as $$
begin
  if current_setting('catalog.generation_bumped', true) is distinct from 'yes' then
    update market_generation set changes = changes + 1 where slot = pg_backend_pid() % 64;
    perform set_config('catalog.generation_bumped', 'yes', true);
    perform pg_notify('market', '');
  end if;
end $$;

create function bump_on_change() returns trigger language plpgsql as $$
begin
  call bump_market_generation();
  return null;
end $$;

create constraint trigger item_bumps_generation after insert or delete on item
  deferrable initially deferred for each row execute function bump_on_change();
create constraint trigger item_change_bumps_generation after update on item
  deferrable initially deferred for each row when (old.* is distinct from new.*) execute function bump_on_change();
create constraint trigger creator_bumps_generation after insert or update on creator
  deferrable initially deferred for each row execute function bump_on_change();
-- Item pages are cached as well, and show the history of an item and the names of its former owners.
create constraint trigger item_history_bumps_generation after insert or update on item_history
  deferrable initially deferred for each row execute function bump_on_change();

-- Accounts without items or history are not visible. A transaction that adds an item or an owner locks the account
-- first, so the account cannot change unseen meanwhile.
create function bump_on_account_change() returns trigger language plpgsql as $$
begin
  if exists (select from item where owner_id = new.user_id) or exists (select from item where creator_id = new.user_id)
    or exists (select from item_history where user_id = new.user_id) then
    call bump_market_generation();
  end if;
  return null;
end $$;

create constraint trigger account_bumps_generation after update on account
  deferrable initially deferred for each row
  when (
    (old.username, old.first_name, old.last_name, old.avatar, old.description, old.suspended)
    is distinct from (new.username, new.first_name, new.last_name, new.avatar, new.description, new.suspended)
  )
  execute function bump_on_account_change();
