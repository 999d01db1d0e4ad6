-- However long it takes. Until the commit works are read and not added.
set local statement_timeout = 0;

update item_text set place = numbered.place
from (select id, row_number() over (order by minted_at, id) as place from item) numbered
where numbered.id = item_id;
create index item_text_place on item_text (place);
create index item_text_name on item_text (name);
create index item_text_blocks on item_text using gin (search_grams(text), (array[(place / 4096)::integer]));
