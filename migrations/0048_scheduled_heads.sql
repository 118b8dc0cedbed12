-- phase: expand
-- The head that was scheduled: pull_auto_merge lands this commit, and is deleted when the head becomes another. Empty for an
-- order of a node that does not know the column; such an order names no commit, and lands none.
alter table pull_auto_merge add column head_oid text not null default '';
update pull_auto_merge set head_oid = pull_request.head_oid
  from pull_request where pull_request.issue_id = pull_auto_merge.issue_id;
