-- The trace of what a mail tells of; null where nothing is traced.
alter table mail add column traceparent text;
