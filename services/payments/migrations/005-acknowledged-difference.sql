-- A difference that cannot be resolved, such as a work whose mint was lost with a database: an operator acknowledged it, and
-- it does not count. Another detail is another difference.
alter table reconciliation_difference
  add column acknowledged_at timestamptz,
  add column acknowledged_by text,
  add column acknowledged_reason text,
  add check (num_nulls(acknowledged_at, acknowledged_by, acknowledged_reason) in (0, 3));
