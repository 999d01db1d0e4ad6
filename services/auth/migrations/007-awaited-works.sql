-- The token of a line into custody until its move to the buyer is consumed: a completed line alone does not show the work.
alter table open_line add column awaited_token text;

drop index open_line_of_buyer;
create index open_line_of_buyer on open_line (buyer_id) where not ended or awaited_token is not null;
create index open_line_awaited on open_line (awaited_token) where awaited_token is not null;
