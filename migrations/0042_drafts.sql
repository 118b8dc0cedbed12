-- phase: expand
-- What somebody is writing, kept for every browser of theirs until it is sent.
create table draft (
  account_id bigint not null references account (id) on delete cascade,
  -- The address of the page and the name of the field.
  place text not null,
  text text not null,
  updated_at timestamptz not null,
  primary key (account_id, place)
);
create index draft_updated on draft (updated_at);
