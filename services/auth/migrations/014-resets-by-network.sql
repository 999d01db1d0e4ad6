set local lock_timeout = '2s';

-- Resets are counted and kept by the network that requested them, so that strangers use up no one else's.
alter table password_reset_request add column network text not null default '';
-- Hash of account and network, as in known_origin; empty for requests of former releases.
alter table password_reset add column origin_key text not null default '';
alter table quota_use add column origin_key text not null default '';
