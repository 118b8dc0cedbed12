-- phase: expand
-- concurrently
-- Kinds of repositories of which there are few among very many: found and counted without reading all.
drop index concurrently if exists repository_template;
-- squawk-ignore ban-concurrent-index-creation-in-transaction
create index concurrently repository_template on repository (name_key, id) where is_template;
drop index concurrently if exists repository_archived;
-- squawk-ignore ban-concurrent-index-creation-in-transaction
create index concurrently repository_archived on repository (name_key, id) where archived_at is not null;
drop index concurrently if exists repository_mirror;
-- squawk-ignore ban-concurrent-index-creation-in-transaction
create index concurrently repository_mirror on repository (name_key, id) where is_mirror;
