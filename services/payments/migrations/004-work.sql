-- A stored event of the processor is handled at once. `wakeOrder` does the same for orders.
create trigger notify_work after insert on stripe_inbox
for each row when (new.handled_at is null) execute function notify_work('webhook inbox');
