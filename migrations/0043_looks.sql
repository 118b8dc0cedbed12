-- phase: expand
-- What reviewers have looked at: which version of a pull request they saw last, and which changes of files they are done with.
create table review_look (
  user_id bigint not null references account (id) on delete cascade,
  issue_id bigint not null references issue (id) on delete cascade,
  version bigint not null,
  looked_at timestamptz not null,
  primary key (user_id, issue_id)
);
create index review_look_issue on review_look (issue_id);

-- By the content of the change, so that a rebase which leaves a file alone leaves it viewed.
create table viewed_change (
  user_id bigint not null references account (id) on delete cascade,
  issue_id bigint not null references issue (id) on delete cascade,
  change text not null check (length(change) <= 64),
  viewed_at timestamptz not null,
  primary key (user_id, issue_id, change)
);
create index viewed_change_issue on viewed_change (issue_id);
