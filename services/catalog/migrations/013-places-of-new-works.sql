set local lock_timeout = '2s';

-- The previous version has added works without a place since.
lock table item_text in access exclusive mode;
update item_text set place = added.place
from (
  select item_id, (select coalesce(max(place), 0) from item_text) + row_number() over (order by minted_at, id) as place
  from item_text join item on id = item_id where item_text.place is null
) added
where added.item_id = item_text.item_id;
alter table item_text alter place set not null;
alter table item_text alter place add generated always as identity;
select setval(pg_get_serial_sequence('item_text', 'place'), coalesce(max(place), 0) + 1, false) from item_text;

drop index item_text_grams;
