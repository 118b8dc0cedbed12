-- phase: expand
-- Credentials that were moved in from a Gitea: hashes in its form, until the secret is used and gets a digest of ours.

alter table access_token add column old_hash text;
alter table action_runner add column old_hash text;
alter table oauth2_application add column old_hash text;

-- A token that no digest matches is looked up by its end.
create index access_token_old on access_token (last_eight) where old_hash is not null;
