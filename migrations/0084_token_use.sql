-- phase: expand
-- What access tokens did, by day: a right that a request needed. Kept for 90 days.
create table token_use (
  token_id bigint not null references access_token (id) on delete cascade,
  day date not null,
  -- The repository; 0 for what is in no repository, and for uses that were too many to be written one by one.
  place_id bigint not null,
  -- A unit; empty for the repository itself, `other` and `more` where the place is 0.
  part text not null,
  level text not null check (level in ('read', 'write', 'admin')),
  primary key (token_id, day, place_id, part, level)
);
create index token_use_day on token_use (day);
