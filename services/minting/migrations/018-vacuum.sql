-- Vacuumed from 1 % of dead rows on, not from 20 %, which are two million at ten million rows. A sale updates its
-- delivery three times, each time in an index: a fillfactor gains nothing.
alter table delivery set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02
);
alter table token set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02
);
