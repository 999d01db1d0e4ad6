set local lock_timeout = '2s';
-- However long it takes. Until the commit entries are read and not added.
set local statement_timeout = 0;

create index book_entry_age on book_entry (at, id);
