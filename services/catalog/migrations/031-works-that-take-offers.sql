-- outside a transaction
drop index concurrently if exists item_takes_offers;

create index concurrently item_takes_offers on item (shown_at desc, id desc) include (price_cents)
  where offer_minimum_cents is not null and hidden_at is null;
