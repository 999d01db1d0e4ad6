-- The index of all texts is built anew, however long it takes.
set local statement_timeout = 0;

-- Numbers works in the order in which they were added: unlike the date of a listing it never changes, so that a search with
-- many hits reads the newest blocks of the index only (market/search.store.ts).
drop index item_text_grams;

alter table item_text add column place bigint;
update item_text set place = numbered.place
from (select id, row_number() over (order by minted_at, id) as place from item) numbered
where numbered.id = item_id;
alter table item_text alter place set not null;
alter table item_text alter place add generated always as identity;
select setval(pg_get_serial_sequence('item_text', 'place'), coalesce(max(place), 0) + 1, false) from item_text;

create index item_text_place on item_text (place);
create index item_text_name on item_text (name);
create index item_text_grams on item_text using gin (search_grams(text), (array[(place / 4096)::integer]));
