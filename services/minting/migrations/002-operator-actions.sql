-- What operators did, to what, and why.
create table operator_action (
  id uuid primary key default uuidv7(),
  action text not null,
  subject text not null,
  who text not null,
  why text not null,
  at timestamptz not null default now()
);
