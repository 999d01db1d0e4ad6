-- A line into custody has no account until the chain certainly has not delivered it: a restored database may lack the
-- account of its delivery.
alter table delivery drop constraint delivery_check1;
alter table delivery add check (state = 'stopped' or wallet is null or custody_account is null);
alter table delivery add check (state = 'stopped' or wallet is not null or custody_account is not null
  or kind = 'sale' and state in ('waiting', 'failed'));
