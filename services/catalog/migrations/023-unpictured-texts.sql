set local lock_timeout = '2s';
-- However long it takes. Until the commit works are read and not added.
set local statement_timeout = 0;

create index item_text_unpictured on item_text (place) where not pictured;
