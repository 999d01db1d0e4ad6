-- What a version of the terms says, as Markdown, and the day that its file names: null for versions from before.
alter table terms_version
  add column effective_day date,
  add column text text;
