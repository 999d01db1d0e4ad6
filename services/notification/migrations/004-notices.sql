-- Notices in the store. One row per account, kind and item: a later event of the kind replaces the earlier one.
create table notice (
  id uuid primary key default uuidv7(),
  user_id uuid not null,
  what text not null check (what in ('cheaper', 'sold', 'available', 'listed', 'own_sold')),
  item_id uuid not null,
  contract text not null,
  identifier text not null,
  name text not null,
  artist text,
  price_cents integer,
  at timestamptz not null,
  read_at timestamptz,
  -- A mail is to be queued, if auth confirms the address.
  mail_due boolean not null default false,
  unique (user_id, what, item_id)
);
create index notice_newest on notice (user_id, at desc, id desc);
create index notice_mail_due on notice (id) where mail_due;
create index notice_at on notice (at);
