set local lock_timeout = '2s';
-- However long it takes. Until the commit the history is read and not written.
set local statement_timeout = 0;

-- For the figures of a day.
create index item_history_happened on item_history (happened_at);
