set local lock_timeout = '2s';
-- However long it takes. Until the commit works are read and not changed.
set local statement_timeout = 0;

-- A frequent search leaves out hidden works without reading the others (market/search.store.ts).
create index item_hidden on item (id) where hidden_at is not null;
