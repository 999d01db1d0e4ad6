set local statement_timeout = 0;

-- With the columns of filters, so that lists and totals are read from the index alone.
drop index item_newest, item_newest_for_sale, item_category, item_category_for_sale, item_for_sale_first,
  item_category_for_sale_first, item_color, item_orientation, item_sold;
create index item_newest on item (shown_at desc, id desc) include (price_cents) where hidden_at is null;
create index item_newest_for_sale on item (shown_at desc, id desc) include (price_cents) where for_sale;
create index item_category on item (category, shown_at desc, id desc) include (price_cents) where hidden_at is null;
create index item_category_for_sale on item (category, shown_at desc, id desc) include (price_cents) where for_sale;
create index item_for_sale_first on item (for_sale desc, shown_at desc, id desc) include (price_cents) where hidden_at is null;
create index item_category_for_sale_first on item (category, for_sale desc, shown_at desc, id desc) include (price_cents)
  where hidden_at is null;
create index item_color on item (color_name, shown_at desc, id desc) include (price_cents, orientation) where hidden_at is null;
create index item_orientation on item (orientation, shown_at desc, id desc) include (price_cents, color_name)
  where hidden_at is null;
create index item_sold on item (sold_at, id) include (hidden_at, for_sale) where sold_at is not null;
