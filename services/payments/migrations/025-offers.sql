set local lock_timeout = '2s';

-- Of an offer: for how many days its owner can accept it, and until when once catalog has it with its hold.
alter table orders
  -- Not `kind`: a former release joins orders with book entries, which have that column, too.
  add column order_kind text not null default 'purchase',
  add column days integer,
  add column decide_by timestamptz,
  add constraint orders_kind_check check (order_kind in ('purchase', 'offer')) not valid,
  add constraint orders_days_check check ((order_kind = 'offer') = (days is not null)) not valid;

-- Of an order whose card is held before its sale is decided.
alter table line add column conditional boolean not null default false;
alter table line drop constraint line_reason_check;
alter table line add constraint line_reason_check
  check (reason in ('cancelled', 'expired', 'undeliverable', 'lost')) not valid;
insert into line_transition values ('awaiting_payment', 'held'), ('held', 'authorised'), ('held', 'released');

create or replace function line_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'placed' then
      raise exception 'a line is inserted as placed, not as %', new.state using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (new.id, new.order_id, new.buyer_id, new.item_id, new.conditional)
    is distinct from (old.id, old.order_id, old.buyer_id, old.item_id, old.conditional)
    or (old.seller_id is not null and (new.seller_id, new.creator_id, new.royalty_bps, new.contract, new.identifier)
    is distinct from (old.seller_id, old.creator_id, old.royalty_bps, old.contract, old.identifier)) then
    raise exception 'the item of a line is immutable' using errcode = 'check_violation';
  end if;
  if new.price_cents <> old.price_cents and not (
    old.conditional and old.state = 'held' and new.state = 'authorised' and new.price_cents < old.price_cents) then
    raise exception 'the price of a line can only fall, when its sale is decided' using errcode = 'check_violation';
  end if;
  if new.state <> old.state and not exists (
    select from line_transition where from_state = old.state and to_state = new.state) then
    raise exception 'a line cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if new.state = 'held' and not new.conditional then
    raise exception 'the sale of a line that is not conditional is decided' using errcode = 'check_violation';
  end if;
  -- A process of a former release, too, does not deliver what nobody has accepted.
  if new.conditional and old.state = 'awaiting_payment' and new.state = 'authorised' then
    raise exception 'the sale of a conditional line is not decided' using errcode = 'check_violation';
  end if;
  return new;
end $$;
