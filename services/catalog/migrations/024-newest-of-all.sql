set local lock_timeout = '2s';
-- However long it takes. Until the commit works are read and not changed.
set local statement_timeout = 0;

-- For operators, who find hidden works too.
create index item_newest_of_all on item (shown_at desc, id desc);
