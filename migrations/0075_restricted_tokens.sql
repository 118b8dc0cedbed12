-- phase: expand
-- The repositories, units, refs and addresses to which an access token is limited; its end is `expires_at`. The release
-- before does not read it, so stop its nodes before tokens with a restriction are created.
alter table access_token add column restriction jsonb;
-- A token that another token made, for minutes. It ends with its parent.
alter table access_token add column parent_id bigint;
alter table access_token add constraint access_token_parent_fkey
  foreign key (parent_id) references access_token (id) on delete cascade not valid;
alter table access_token add column last_used_from text;
-- squawk-ignore require-concurrent-index-creation
create index access_token_parent on access_token (parent_id) where parent_id is not null;
