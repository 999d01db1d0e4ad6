set local lock_timeout = '2s';

-- Whether the origin is a device; false for origins of former releases until the device logs in again.
alter table known_origin add column is_device boolean not null default false;
