-- SHA-256 (hex) of the code in the mail about the deletion, with which an operator hands works in custody back.
alter table account add column hand_back_hash text;

create unique index account_hand_back on account (hand_back_hash) where hand_back_hash is not null;
