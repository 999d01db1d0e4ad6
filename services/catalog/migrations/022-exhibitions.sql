set local lock_timeout = '2s';

-- A named list of works with a page of its own: an exhibition, which an operator makes, or a series of one artist.
create table exhibition (
  id uuid primary key default gen_random_uuid(),
  -- In the address of its page.
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  -- Of a series; null for an exhibition.
  artist_id uuid references account (user_id) on delete cascade,
  title text not null,
  description text not null default '',
  -- The day, in UTC, from which the works are shown.
  opens_on date not null,
  created_at timestamptz not null default now()
);
create index on exhibition (artist_id);
create index on exhibition (opens_on desc);

create table exhibition_item (
  exhibition_id uuid not null references exhibition (id) on delete cascade,
  position integer not null,
  item_id uuid not null references item (id) on delete cascade,
  primary key (exhibition_id, position),
  unique (exhibition_id, item_id)
);
create index on exhibition_item (item_id);

create constraint trigger exhibition_bumps_generation after insert or update or delete on exhibition
  deferrable initially deferred for each row execute function bump_on_change();
create constraint trigger exhibition_item_bumps_generation after insert or update or delete on exhibition_item
  deferrable initially deferred for each row execute function bump_on_change();
