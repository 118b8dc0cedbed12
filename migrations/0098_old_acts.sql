-- phase: expand
-- concurrently
-- Acts and feed entries past their retention are found, the oldest first. Rows come in this order, so that inserts only
-- touch the end of these indexes.
drop index concurrently if exists activity_created;
-- squawk-ignore ban-concurrent-index-creation-in-transaction
create index concurrently activity_created on activity (created_at);
drop index concurrently if exists activity_feed_created;
-- squawk-ignore ban-concurrent-index-creation-in-transaction
create index concurrently activity_feed_created on activity_feed (created_at);
