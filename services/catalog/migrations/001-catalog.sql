-- This service's copy of accounts, from auth's events. Version 0: others named the account before auth told of it.
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

-- Apart from the account, so that counting never waits for somebody who decides by the account's row.
create table creator (
  user_id uuid primary key,
  works integer not null default 0,
  sales integer not null default 0
);

create index creator_best on creator (sales desc, works desc, user_id) where works > 0;

-- What the chain last said of each token, also of tokens whose mint this service has not heard of yet.
create table holding (
  token text collate "C" primary key,
  owner_id uuid,
  -- Lower case; null while the token is in the store's custody.
  wallet text,
  position bigint not null,
  tx_hash text not null,
  moved_at timestamptz not null
);

create table item (
  id uuid primary key,
  token text collate "C" not null unique,
  -- As the chain's people write it: with checksum.
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

  -- Set by what the chain says, and by nothing else.
  owner_id uuid,
  wallet text,

  price_cents integer check (price_cents between 50 and 99999999),
  for_sale boolean not null default false,
  listed_at timestamptz,
  listing_version integer not null default 0,
  -- The mint came with a price: listed as soon as its owner is known and may sell.
  list_when_owned boolean not null default false,
  -- Place in the market: the last listing, before that the mint.
  shown_at timestamptz not null,

  reserved_order uuid,
  reserved_by uuid,
  reserved_cents integer,
  reserved_seller uuid,
  -- Shown, never decided on: only payments ends a reservation.
  reserved_until timestamptz,
  delist_requested boolean not null default false,

  hidden_at timestamptz,
  hidden_by text,
  hidden_why text,

  -- Creator, U+001F, then name, description and category; lower case (market/search.ts).
  search_text text not null,

  constraint listed_with_price_and_owner check (not for_sale or (price_cents is not null and owner_id is not null)),
  constraint hidden_is_not_for_sale check (not for_sale or hidden_at is null),
  constraint reserved_whole check (
    (reserved_order is null) = (reserved_by is null)
    and (reserved_order is null) = (reserved_cents is null)
    and (reserved_order is null) = (reserved_seller is null)
  ),
  constraint wish_needs_reservation check (not delist_requested or reserved_order is not null)
) with (fillfactor = 85);

create index item_newest on item (shown_at desc, id desc) where hidden_at is null;
create index item_newest_for_sale on item (shown_at desc, id desc) where for_sale;
create index item_category on item (category, shown_at desc, id desc) where hidden_at is null;
create index item_category_for_sale on item (category, shown_at desc, id desc) where for_sale;
create index item_owner on item (owner_id, shown_at desc, id desc);
create index item_creator on item (creator_id, shown_at desc, id desc);

-- Every run of one, two and three characters. Unlike pg_trgm it also finds short words and words of any script,
-- whatever the locale of the server, and it needs no extension.
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

-- What an item page tells of the past. One transaction on the chain is one line, however many events tell of it.
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

-- One row per order that ever asked. `lines` is what it was answered; `released_at` refuses a request that comes late.
create table reservation (
  order_id uuid primary key,
  buyer_id uuid,
  lines jsonb,
  released_at timestamptz,
  created_at timestamptz not null default now()
);

-- How often the market's answers changed: the sum. Every transaction that changes what visitors see adds one, in a
-- row of its own connection, so that none is hot, and at its very end, so that it waits with no other lock to come.
-- On one server a later snapshot sees all that an earlier one saw: equal sums mean equal answers.
create table market_generation (slot integer primary key, moves bigint not null default 0) with (fillfactor = 20);
insert into market_generation (slot) select generate_series(0, 63);

create procedure count_move() language plpgsql as $$
begin
  if current_setting('catalog.market_moved', true) is distinct from 'yes' then
    update market_generation set moves = moves + 1 where slot = pg_backend_pid() % 64;
    perform set_config('catalog.market_moved', 'yes', true);
    perform pg_notify('market', '');
  end if;
end $$;

create function move_market() returns trigger language plpgsql as $$
begin
  call count_move();
  return null;
end $$;

create constraint trigger item_moves_market after insert or delete on item
  deferrable initially deferred for each row execute function move_market();
create constraint trigger item_change_moves_market after update on item
  deferrable initially deferred for each row when (old.* is distinct from new.*) execute function move_market();
-- Most accounts have no works, and nobody sees them in the market. Whoever adds a work or an owner locks the account
-- first, so that a work cannot arrive unseen while its account changes.
create function move_market_for_account() returns trigger language plpgsql as $$
begin
  if exists (select from item where owner_id = new.user_id) or exists (select from item where creator_id = new.user_id) then
    call count_move();
  end if;
  return null;
end $$;

create constraint trigger account_moves_market after update on account
  deferrable initially deferred for each row
  when (
    (old.username, old.first_name, old.last_name, old.avatar, old.description, old.suspended)
    is distinct from (new.username, new.first_name, new.last_name, new.avatar, new.description, new.suspended)
  )
  execute function move_market_for_account();
create constraint trigger creator_moves_market after insert or update on creator
  deferrable initially deferred for each row execute function move_market();
