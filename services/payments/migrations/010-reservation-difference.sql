set local lock_timeout = '2s';
set local statement_timeout = 0;

-- A work that catalog has reserved for an order without an open line.
alter table reconciliation_difference drop constraint reconciliation_difference_kind_check;
alter table reconciliation_difference add constraint reconciliation_difference_kind_check
  check (kind in ('order', 'intent', 'payout', 'line', 'token', 'reservation'));
