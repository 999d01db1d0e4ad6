set local lock_timeout = '2s';
-- However long it takes. Until the commit entries are read and not added.
set local statement_timeout = 0;

create index book_entry_payout on book_entry (payout_id) where payout_id is not null;
