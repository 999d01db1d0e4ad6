-- Links of profiles are https only. Stored http links go to the same host.
update account set links = (
  select jsonb_object_agg(key, regexp_replace(value, '^http://', 'https://', 'i')) from jsonb_each_text(links)
) where links::text ~* '"http://';
