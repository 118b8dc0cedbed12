-- phase: expand
-- An access token of an OAuth2 application is a row like every other access token, with an end and a family.
alter table access_token add column expires_at timestamptz;
alter table access_token add column family_id bigint;
alter table access_token add constraint access_token_family_fkey
  foreign key (family_id) references oauth2_token_family (id) on delete cascade not valid;
-- squawk-ignore require-concurrent-index-creation
create index access_token_family on access_token (family_id, id) where family_id is not null;
-- squawk-ignore require-concurrent-index-creation
create index access_token_expires on access_token (expires_at) where expires_at is not null;
