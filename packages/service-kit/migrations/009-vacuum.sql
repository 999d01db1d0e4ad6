-- Vacuumed from 1 % of dead rows on, not from 20 %, which are two million at ten million rows. A row is updated
-- once, and none of 330 updates was a heap-only one, since the index of waiting rows changes: a fillfactor gains nothing.
alter table outbox set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02
);
