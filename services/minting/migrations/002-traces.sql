-- The trace of the sale that a delivery is part of, and of the delivery that a transaction was signed for; null where
-- nothing is traced.
alter table delivery add column traceparent text;
alter table lane_transaction add column traceparent text;
