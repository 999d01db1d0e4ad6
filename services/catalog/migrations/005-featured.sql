-- The works that an operator features, in the order of the home page.
create table featured_item (
  position integer primary key check (position between 1 and 6),
  item_id uuid not null unique references item (id) on delete cascade
);

create constraint trigger featured_item_bumps_generation after insert or update or delete on featured_item
  deferrable initially deferred for each row execute function bump_on_change();

-- The market with works for sale first.
create index item_for_sale_first on item (for_sale desc, shown_at desc, id desc) where hidden_at is null;
create index item_category_for_sale_first on item (category, for_sale desc, shown_at desc, id desc)
  where hidden_at is null;
