set local lock_timeout = '2s';
-- However long it takes. Until the commit mints are read and not added.
set local statement_timeout = 0;

create index mint_image on mint (split_part(file, '.', 1));
