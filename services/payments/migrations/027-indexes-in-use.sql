set local lock_timeout = '2s';

-- Those of the file before take their places.
drop index line_live;
alter index line_live_next rename to line_live;
drop index line_open;
alter index line_open_next rename to line_open;
