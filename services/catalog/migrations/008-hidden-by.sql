-- Who hides the item: its owner, until another one has it, or an operator.
alter table item add column hidden_by text check (hidden_by in ('owner', 'operator'));
update item set hidden_by = 'operator' where hidden_at is not null;
alter table item add constraint hidden_by_somebody check ((hidden_at is null) = (hidden_by is null));

create index item_hidden_of_owner on item (owner_id, hidden_at desc) where hidden_by = 'owner';
