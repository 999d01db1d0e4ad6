set local lock_timeout = '2s';

-- What a mail without a token says, from which an operator can have it sent again (`EmailContent`). Erased after 30 days with
-- the address.
alter table mail add column content jsonb;
