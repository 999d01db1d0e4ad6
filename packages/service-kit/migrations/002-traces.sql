-- The trace that an event belongs to, as W3C Trace Context writes it; null where nothing is traced.
alter table outbox add column traceparent text;
alter table parked_event add column traceparent text;
