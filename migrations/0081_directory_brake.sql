-- phase: expand
-- People whom a directory does not find are noted first, and removed when the whole check is known to be within bounds.
alter table external_identity
  -- A check did not find the person, and nothing was done about it yet.
  add column missed_at timestamptz,
  -- The person was removed here for that, until a directory finds them again.
  add column gone_at timestamptz;
create index external_identity_missed on external_identity (source_id, id) where missed_at is not null;

alter table authentication_source
  -- A check missed too many people: it removed none of them. How many, and of how many.
  add column halted_at timestamptz,
  add column halted_missing bigint,
  add column halted_people bigint,
  -- So many missing people an administrator has confirmed.
  add column confirmed_missing bigint;
