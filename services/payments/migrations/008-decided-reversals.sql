set local lock_timeout = '2s';
-- However long it takes. Until the commit refunds and disputes are read and not changed.
set local statement_timeout = 0;

-- Null: no operator has decided yet who bears a refund or dispute, and the shares of its lines are held back. What was stored
-- until now is the former default, not a decision, unless an operator assigned it. What was paid out stays so.
alter table reversal alter column borne_by drop not null, alter column borne_by drop default;
update reversal set borne_by = null
where borne_by = 'platform'
  and exists (
    select from line join book_entry entry on entry.line_id = line.id
    where line.order_id = reversal.order_id and entry.user_id is not null and entry.payout_id is null
      and line.id = any (coalesce(
        reversal.line_ids, (select array[refund.line_id] from refund where refund.id = refund_id), array[line.id])))
  and not exists (
    select from line join book_entry entry on entry.line_id = line.id
    where line.order_id = reversal.order_id and entry.cause = 'assignment' and entry.reversal_id = reversal.id)
  and not exists (select from audit_log where action = 'assign' and subject = reversal.order_id::text);
create index reversal_without_bearer on reversal (created_at) where withdrawn_cents > 0 and borne_by is null;

-- One account may be owed more than 32 bits of cents.
alter table payout alter column amount_cents type bigint;

-- Payouts that the bank sent back: their book entries are unpaid again.
create table payout_return (
  payout_id uuid primary key references payout,
  operator text not null,
  reason text not null,
  at timestamptz not null default now()
);
create trigger payout_return_append_only before update or delete on payout_return
for each row execute function append_only();

create or replace function book_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
    or old.payout_id is not null and not (
      new.payout_id is null and exists (select from payout_return where payout_id = old.payout_id))
    or (new.id, new.line_id, new.kind, new.user_id, new.amount_cents, new.cause, new.reversal_id, new.at)
    is distinct from
    (old.id, old.line_id, old.kind, old.user_id, old.amount_cents, old.cause, old.reversal_id, old.at) then
    raise exception 'book entries are append-only' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- True once the buyer's mail about the failure of the refund was published.
alter table reversal add column failure_published boolean not null default false;
update reversal set failure_published = true where kind = 'refund' and status in ('failed', 'canceled');
