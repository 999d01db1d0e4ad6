set local lock_timeout = '2s';

-- When an operator acknowledged that the mail was given up or refused: it raises no alert any more.
alter table mail add column acknowledged_at timestamptz;
