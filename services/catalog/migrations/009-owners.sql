-- The list of creators has all accounts that own works: those that only bought some have neither works nor sales of their own.
drop index creator_best;
create index creator_best on creator (sales desc, works desc, user_id);

insert into creator (user_id) select distinct owner_id from item where owner_id is not null on conflict do nothing;
