set local lock_timeout = '2s';

drop index item_newest, item_newest_for_sale, item_category, item_category_for_sale, item_for_sale_first,
  item_category_for_sale_first, item_color, item_orientation, item_sold;
