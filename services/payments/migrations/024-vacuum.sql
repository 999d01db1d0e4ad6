-- Vacuumed from 1 % of dead rows on, not from 20 %, which are two million at ten million rows. A sale updates its
-- order ten times and its line seven times. 8 and 12 % of these were heap-only updates, because most change an index: a
-- fillfactor gains little.
alter table orders set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02
);
alter table line set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02
);
