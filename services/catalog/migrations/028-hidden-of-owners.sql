-- outside a transaction
drop index concurrently if exists item_hidden_of_its_owner;

-- The hidden works of an owner, whoever hides them. The former index had those of owners alone.
create index concurrently item_hidden_of_its_owner on item (owner_id, hidden_at desc, id desc) where hidden_at is not null;

drop index concurrently if exists item_hidden_of_owner;
