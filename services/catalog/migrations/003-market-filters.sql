alter table item
  -- Name of the dominant colour, and shape (items/picture.ts). Null until an item of an earlier version is filled.
  add column color_name text,
  add column orientation text,
  -- The last sale; null if there was none.
  add column sold_at timestamptz;

update item set sold_at = sold.at
from (select item_id, max(happened_at) as at from item_history where what = 'sold' group by item_id) sold
where sold.item_id = item.id;

create index item_color on item (color_name, shown_at desc, id desc) where hidden_at is null;
create index item_orientation on item (orientation, shown_at desc, id desc) where hidden_at is null;
-- Read in both directions.
create index item_price on item (price_cents, shown_at, id) where hidden_at is null;
create index item_price_for_sale on item (price_cents, shown_at, id) where for_sale;
create index item_sold on item (sold_at, id) where sold_at is not null;
