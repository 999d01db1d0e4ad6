-- 011 to 015 give the catalogue new indexes while the previous version serves requests: what takes long leaves all tables readable,
-- and what locks them is short, with the usual time limits.
set local lock_timeout = '2s';

-- Numbers works in the order in which they were added: unlike the date of a listing it never changes, so that a search with
-- many hits reads the newest blocks of the index only (market/search.store.ts).
alter table item_text add column place bigint;
