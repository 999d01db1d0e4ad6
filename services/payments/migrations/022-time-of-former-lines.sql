-- outside a transaction
do $$
declare
  before uuid := '00000000-0000-0000-0000-000000000000';
  up_to uuid;
begin
  loop
    select (array_agg(id order by id desc))[1] into up_to
    from (select id from orders where id > before order by id limit 1000) batch;
    exit when up_to is null;
    update line set ordered_at = orders.created_at from orders
    where orders.id = order_id and orders.id > before and orders.id <= up_to and ordered_at <> orders.created_at;
    commit;
    before := up_to;
  end loop;
end $$;
