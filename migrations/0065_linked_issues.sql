-- phase: expand
-- Issues that commits of a pull request close with a keyword, found when its newest version is checked. Keywords in its
-- texts are rows of `issue_comment`.
create table issue_closing_commit (
  pull_id bigint not null references issue (id) on delete cascade,
  issue_id bigint not null references issue (id) on delete cascade,
  primary key (pull_id, issue_id)
);
create index issue_closing_commit_issue on issue_closing_commit (issue_id);

-- The pull requests that close an issue, among all entries of its timeline.
-- squawk-ignore require-concurrent-index-creation
create index issue_comment_closes on issue_comment (issue_id) where ref_action = 'closes';
