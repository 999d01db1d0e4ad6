-- Why an operator hides the item, as its owner reads it. Null for an item that its owner hides.
alter table item add column hidden_reason text;
