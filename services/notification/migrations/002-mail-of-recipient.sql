-- For the export of one's own data. Addresses of mails are erased after 30 days.
create index mail_of_recipient on mail (recipient) where recipient <> '';
