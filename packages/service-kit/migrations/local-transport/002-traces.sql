alter table message add column traceparent text;
