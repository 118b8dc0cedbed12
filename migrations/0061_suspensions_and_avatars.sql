-- phase: expand
-- Whose avatar has this key: an avatar is served while a row names it, and its object is lost if the store lacks it then.
-- squawk-ignore require-concurrent-index-creation
create index account_avatar on account (avatar_key) where avatar_key <> '';
-- squawk-ignore require-concurrent-index-creation
create index repository_avatar on repository (avatar) where avatar <> '';

-- What `account.prohibits_login` was before the suspension, which sets it: lifting the suspension restores it.
alter table account_suspension add column prohibited_login boolean not null default false;
