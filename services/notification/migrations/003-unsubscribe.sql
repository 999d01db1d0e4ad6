alter table recipient
  -- The flags follow, salePromotion and companyNews of the account.
  add column wants_follows boolean not null default false,
  add column wants_favourites boolean not null default false,
  add column wants_news boolean not null default false,
  -- Unsubscribed from every newsletter, also from one that the address confirmed.
  add column refuses_news boolean not null default false;

-- Names the subscription in its unsubscribe link.
alter table subscriber add column id uuid not null unique default gen_random_uuid();

-- What the unsubscribe link of the mail ends (unsubscribe/unsubscribe-token.ts); null without such a link.
alter table mail add column unsubscribe text;
