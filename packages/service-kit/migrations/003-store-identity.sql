-- The store that this database belongs to, by its STORE_ID: one row.
create table store_identity (
  only_row boolean primary key default true check (only_row),
  store_id text not null
);
