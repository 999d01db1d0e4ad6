-- What the store still owes an account, copied from events: an account that it is owed to is not deleted unasked.

-- Works in the store's custody. The position only increases; null owner: in a wallet, or of no account.
create table custody_work (
  token text primary key,
  contract text not null,
  identifier text not null,
  owner_id uuid,
  position bigint not null
);

create index custody_work_of_owner on custody_work (owner_id) where owner_id is not null;

-- Order lines that are paid and not completed or released. Past `deliver_by` they end without a further event at the latest.
create table open_line (
  line_id uuid primary key,
  order_id uuid not null,
  name text not null,
  buyer_id uuid not null,
  seller_id uuid not null,
  deliver_by timestamptz not null,
  ended boolean not null default false
);

create index open_line_of_buyer on open_line (buyer_id) where not ended;
create index open_line_of_seller on open_line (seller_id) where not ended;
create index open_line_end on open_line (deliver_by);
