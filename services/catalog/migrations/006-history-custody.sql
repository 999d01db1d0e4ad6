-- A move or sale into the store's custody, or the owner's withdrawal out of it; null for all other entries.
alter table item_history add column custody text check (custody in ('in', 'out'));
