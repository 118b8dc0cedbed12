-- phase: expand
-- The newest closed pull request from a branch: the banner after a push does not offer its head again.
create index pull_request_closed_head on pull_request (head_repository_id, head_branch, issue_id) where not is_open;
