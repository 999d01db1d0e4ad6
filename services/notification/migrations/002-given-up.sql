-- What the operator's figures ask at every scrape.
create index mail_given_up on mail (given_up_at) where given_up_at is not null;
