-- Whether the address of the mail was confirmed. Another account may take an address that was not: who entered it need not own it.
alter table freeze_link add column email_confirmed boolean not null default true;
