-- phase: expand
-- concurrently
-- Lists of comments count without reading the issue of each: few issues are hidden.
drop index concurrently if exists issue_hidden;
-- squawk-ignore ban-concurrent-index-creation-in-transaction
create index concurrently issue_hidden on issue (repository_id) where is_hidden;
-- Sessions that are over are swept every hour.
drop index concurrently if exists web_session_idle;
-- squawk-ignore ban-concurrent-index-creation-in-transaction
create index concurrently web_session_idle on web_session (idle_until);
