set local lock_timeout = '2s';
-- However long it takes. Until the commit deliveries are read and not changed.
set local statement_timeout = 0;

create unique index one_gift_per_token on delivery (token) where kind = 'gift' and state in ('waiting', 'signed');
