-- An owner's events are read without the refused attempts of strangers, which can be any number.
create index security_event_own on security_event (user_id, id)
  where user_id is not null and (session_id is not null or outcome = 'ok');
