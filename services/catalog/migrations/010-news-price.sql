-- The price before a `cheaper` one: if the price is back at it before the news is published, the news is not true any more.
alter table item_news add column former_cents integer check (former_cents > 0);
