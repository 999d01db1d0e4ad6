set local lock_timeout = '2s';
-- However long it takes: it reads all deliveries, which others read and change meanwhile.
set local statement_timeout = 0;

alter table delivery
  validate constraint delivery_kind_check,
  validate constraint delivery_withdrawal_check,
  validate constraint delivery_gift_check,
  validate constraint delivery_sale_check,
  validate constraint delivery_recipient_check;
