set local lock_timeout = '2s';
-- However long it takes: not in the transaction that locks the whole table to add the column.
set local statement_timeout = 0;

-- Sales before this migration count as paid.
update delivery set paid_at = changed_at where kind = 'sale' and state = 'final' and paid_at is null;
-- Sales into custody, for the time from which a token can be withdrawn.
create index delivery_into_custody on delivery (token, block)
  where kind = 'sale' and state = 'final' and custody_account is not null;
