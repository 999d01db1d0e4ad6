set local lock_timeout = '2s';

-- An alarm that an operator deals with raises no alert until its detail changes, or it is raised again after a day
-- without it.
alter table alarm
  add column acknowledged_at timestamptz,
  add column acknowledged_by text,
  add column acknowledged_reason text,
  add check (num_nulls(acknowledged_at, acknowledged_by, acknowledged_reason) in (0, 3)) not valid;
