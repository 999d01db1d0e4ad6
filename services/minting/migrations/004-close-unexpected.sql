-- When an operator closed it: a withdrawal that a restored database has lost, or a delivery of a stolen key that is settled.
alter table unexpected_delivery add column closed_at timestamptz;
