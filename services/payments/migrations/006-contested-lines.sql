set local lock_timeout = '2s';
set local statement_timeout = 0;

-- Whether a bank contests the payment of a line, as it was published last; each change has a later time. No row: never contested.
create table contested_line (
  line_id uuid primary key references line,
  contested boolean not null,
  at timestamptz not null
);

alter table reversal
  -- Of a dispute: until when the bank takes evidence.
  add column due_by timestamptz,
  -- The stage in which an operator cleared it (`reversal.ts`): it contests no line until it reaches another.
  add column cleared text check (cleared in ('fraud_warning', 'inquiry', 'dispute', 'lost')),
  -- Of a lost dispute: an operator allowed the buyer to buy again.
  add column buyer_allowed boolean not null default false;

-- Banks' objections that are not decided, for `pnpm ops disputes`; and lost disputes, whose buyers may not buy.
create index reversal_undecided on reversal (created_at)
  where kind = 'fraud_warning' and cleared is null
    or kind = 'dispute' and status not in ('won', 'lost', 'warning_closed', 'prevented');
create index reversal_lost on reversal (order_id) where kind = 'dispute' and status = 'lost' and not buyer_allowed;

-- `declines`: too many cards were declined on its page.
alter table orders drop constraint orders_cancel_requested_by_check;
alter table orders add constraint orders_cancel_requested_by_check
  check (cancel_requested_by in ('seller', 'account', 'timeout', 'declines', 'buyer', 'operator', 'dispute'))
  not valid;
