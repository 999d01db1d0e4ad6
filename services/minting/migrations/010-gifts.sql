set local lock_timeout = '2s';

-- A gift moves a token from one custody account to another. Stored deliveries are read by the next file, without a lock that keeps others
-- from writing.
alter table delivery drop constraint delivery_kind_check, drop constraint delivery_check2, drop constraint delivery_check4,
  drop constraint delivery_check9;
alter table delivery
  add constraint delivery_kind_check check (kind in ('sale', 'withdrawal', 'gift')) not valid,
  add constraint delivery_withdrawal_check check (kind <> 'withdrawal' or custody_account is null) not valid,
  add constraint delivery_gift_check check (kind <> 'gift' or wallet is null) not valid,
  add constraint delivery_sale_check check (kind <> 'sale' or state = 'stopped'
    or (order_id is not null and item_id is not null and deliver_by is not null)) not valid,
  add constraint delivery_recipient_check check (state = 'stopped' or wallet is not null or custody_account is not null
    or kind <> 'withdrawal' and state in ('waiting', 'failed')) not valid;

create or replace function delivery_transition() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not (old.state, new.state) in (
    ('waiting', 'signed'), ('waiting', 'final'), ('waiting', 'failed'), ('waiting', 'stopped'),
    ('signed', 'waiting'), ('signed', 'final'), ('signed', 'failed')
  ) and not (new.kind <> 'sale' and old.state in ('failed', 'stopped') and new.state = 'final') then
    raise exception 'a delivery cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  new.changed_at := now();
  return new;
end $$;

create table gift (
  id uuid primary key,
  giver_id uuid not null,
  token text not null,
  name text not null,
  -- The line of the sale that bought it, and its order; null for a work that the giver owned.
  line_id uuid unique,
  order_id uuid,
  -- Where the link is mailed to; null a month after the gift ended.
  email text,
  text text not null,
  state text not null default 'offered' 
    check (state in ('bought', 'offered', 'claimed', 'taken_back', 'refunded', 'lapsed', 'ended')),
  -- When the link of a bought gift is mailed at the earliest.
  offer_from timestamptz not null default now(),
  offered_at timestamptz,
  until timestamptz,
  -- The last claim: its delivery and who claimed.
  delivery_id uuid,
  recipient_id uuid,
  -- The purchase was refunded while the last claim had no outcome: the gift ends if that fails.
  refunded boolean not null default false,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  check ((line_id is null) = (order_id is null)),
  check (state <> 'bought' or line_id is not null),
  check (state <> 'offered' or (offered_at is not null and until is not null and email is not null)),
  check ((delivery_id is null) = (recipient_id is null)),
  check (state <> 'claimed' or delivery_id is not null)
);
create unique index one_open_gift on gift (token, giver_id) where state in ('bought', 'offered');
create index gift_of_giver on gift (giver_id, created_at desc);
create index gift_of_recipient on gift (recipient_id, created_at desc) where recipient_id is not null;
create index gift_of_order on gift (order_id) where order_id is not null;
create index gift_claim on gift (delivery_id) where state = 'offered' and delivery_id is not null;
create index gift_until on gift (until) where state = 'offered';
create index gift_to_offer on gift (line_id) where state = 'bought';
create index gift_to_erase on gift (changed_at) where email is not null and state not in ('bought', 'offered');

create function gift_change() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and old.state not in ('bought', 'offered') then
    raise exception 'a gift that is % cannot be %', old.state, new.state using errcode = 'check_violation';
  end if;
  if new.state <> old.state then new.changed_at := now(); end if;
  return new;
end $$;
create trigger gift_change before update on gift for each row execute function gift_change();

-- Mailed links by the SHA-256 (hex) of their tokens; the newest one of a gift is valid.
create table gift_link (
  token_hash text primary key,
  gift_id uuid not null references gift,
  -- SHA-256 (hex) of the mailbox (`link-limit.ts`).
  recipient text not null,
  number int not null check (number > 0),
  created_at timestamptz not null default now(),
  unique (gift_id, number)
);
create index gift_link_of_recipient on gift_link (recipient, created_at);
