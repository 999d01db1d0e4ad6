-- However long it takes. Until the commit works are read and not changed.
set local statement_timeout = 0;

-- With the columns of filters, so that lists and totals are read from the index alone.
create index item_newest_covering on item (shown_at desc, id desc) include (price_cents) where hidden_at is null;
create index item_newest_for_sale_covering on item (shown_at desc, id desc) include (price_cents) where for_sale;
create index item_category_covering on item (category, shown_at desc, id desc) include (price_cents) where hidden_at is null;
create index item_category_for_sale_covering on item (category, shown_at desc, id desc) include (price_cents) where for_sale;
create index item_for_sale_first_covering on item (for_sale desc, shown_at desc, id desc) include (price_cents)
  where hidden_at is null;
create index item_category_for_sale_first_covering on item (category, for_sale desc, shown_at desc, id desc)
  include (price_cents) where hidden_at is null;
create index item_color_covering on item (color_name, shown_at desc, id desc) include (price_cents, orientation)
  where hidden_at is null;
create index item_orientation_covering on item (orientation, shown_at desc, id desc) include (price_cents, color_name)
  where hidden_at is null;
create index item_sold_covering on item (sold_at, id) include (hidden_at, for_sale) where sold_at is not null;
