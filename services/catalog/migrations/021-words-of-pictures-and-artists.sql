set local lock_timeout = '2s';

-- Whether the text ends with the words of the picture: its colour and its shape. Texts of an earlier version get them when
-- the service starts (items/backfill.store.ts).
alter table item_text add column pictured boolean not null default false;

-- The folded username and names of those who made works, to find artists by name.
create table artist_text (user_id uuid primary key, text text not null);
create index artist_text_grams on artist_text using gin (search_grams(text));
