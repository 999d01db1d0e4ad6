set local lock_timeout = '2s';

-- When it took the lead, raised the price or raised its bidder's maximum. A raise has the `stood_at` of the former bid.
alter table bid add column placed_at timestamptz;
-- Null for one that ended before this column was added.
alter table offer add column ended_at timestamptz;
