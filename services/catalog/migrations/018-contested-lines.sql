-- Sold lines whose payment a bank contests. While its buyer owns the item, it cannot be listed. A row stays when it is cleared: an
-- older event changes nothing.
create table contested_line (
  line_id uuid primary key,
  item_id uuid not null,
  buyer_id uuid not null,
  contested boolean not null,
  at timestamptz not null
);
create index contested_line_of_item on contested_line (item_id) where contested;
