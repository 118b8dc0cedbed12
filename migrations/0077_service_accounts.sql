-- phase: expand
-- The organization that a service account belongs to: a bot with tokens and keys, without a password.
alter table account add column organization_id bigint;
alter table account add constraint account_organization_fkey
  foreign key (organization_id) references account (id) not valid;
-- squawk-ignore require-concurrent-index-creation
create index account_organization on account (organization_id, id) where organization_id is not null;
