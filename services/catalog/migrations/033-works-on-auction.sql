-- outside a transaction
drop index concurrently if exists item_on_auction;

create index concurrently item_on_auction on item (shown_at desc, id desc) include (price_cents, auction_id)
  where auction_id is not null and reserved_order is null and hidden_at is null;

-- In place of those "for sale first", which processes of the former release read until they have ended.
drop index concurrently if exists item_available_first_covering;

create index concurrently item_available_first_covering on item
  ((for_sale or auction_id is not null) desc, shown_at desc, id desc)
  include (price_cents, for_sale, auction_id) where hidden_at is null;

drop index concurrently if exists item_category_available_first_covering;

create index concurrently item_category_available_first_covering on item
  (category, (for_sale or auction_id is not null) desc, shown_at desc, id desc)
  include (price_cents, for_sale, auction_id) where hidden_at is null;
