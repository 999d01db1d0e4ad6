set local lock_timeout = '2s';
-- However long it takes. Works are read and changed meanwhile; creators are locked at the end only.
set local statement_timeout = 0;

-- Prices at which items were for sale or sold, a row per UTC day, for 90 days (items/price.store.ts).
create table daily_price (
  item_id uuid not null,
  day date not null,
  lowest_cents integer not null,
  -- At most the last price below half of it that the owner has confirmed.
  highest_cents integer not null,
  primary key (item_id, day)
);
insert into daily_price
select item_id, (at at time zone 'UTC')::date, min(price_cents), max(price_cents)
from (
  select item_id, happened_at, price_cents from item_history
  union all
  select id, delisted_at, price_cents from item where not for_sale
) priced (item_id, at, price_cents)
where price_cents is not null and at > now() - interval '90 days' group by 1, 2;

-- Who has bought of whom, and cards by the hash of their fingerprint: creators are ordered by the persons who bought of
-- them (accounts/buyer.store.ts).
create table seller_buyer (seller_id uuid not null, buyer_id uuid not null, primary key (seller_id, buyer_id));
create index seller_buyer_buyer on seller_buyer (buyer_id);
create table account_card (user_id uuid not null, card text not null, primary key (user_id, card));
create index account_card_card on account_card (card, user_id);

insert into seller_buyer
select distinct (line->>'sellerId')::uuid, item_history.user_id
from reservation cross join lateral jsonb_array_elements(lines) line
join item_history on item_id = (line->>'itemId')::uuid and what = 'sold' and item_history.user_id = buyer_id
where released_at is null;

alter table creator add column buyers integer not null default 0;
create index creator_most_buyers on creator (buyers desc, works desc, user_id);
drop index creator_best;
-- After the changes of the table: its deferred triggers wait for the commit then.
update creator set buyers = counted.buyers
from (select seller_id, count(*) as buyers from seller_buyer group by seller_id) counted where seller_id = user_id;
