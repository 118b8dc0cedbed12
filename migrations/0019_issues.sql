-- phase: expand
-- Issues. A pull request is an issue underneath: it has a row here, a number of the same row of numbers, and the same
-- timeline.

create table milestone (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  title text not null,
  description text not null,
  is_closed boolean not null,
  closed_at timestamptz,
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- The ones without a date come first.
create index milestone_list on milestone (repository_id, due_at nulls first, title collate "C", id);
create index milestone_title on milestone (lower(title));
create index milestone_state on milestone (repository_id, is_closed, due_at nulls first, title collate "C", id);

-- Kept in the transaction that changes what they count.
create table milestone_count (
  milestone_id bigint primary key references milestone (id) on delete cascade,
  open_issues bigint not null default 0,
  closed_issues bigint not null default 0
);

-- The last number that was given. Whoever takes the next one holds the row until the issue is there, and a number that
-- was given is never given again.
create table issue_number (
  repository_id bigint primary key references repository (id) on delete cascade,
  last bigint not null
);

create table issue (
  id bigint generated always as identity primary key,
  repository_id bigint not null references repository (id) on delete cascade,
  number bigint not null,
  is_pull boolean not null,
  -- None: whoever wrote it is gone, or wrote it elsewhere.
  author_id bigint references account (id) on delete set null,
  -- Who wrote it there, of what was brought in.
  original_author text not null default '',
  original_author_id bigint not null default 0,
  title text not null,
  body text not null,
  -- One more for each change of the body.
  content_version bigint not null default 0,
  is_closed boolean not null,
  closed_at timestamptz,
  is_locked boolean not null default false,
  lock_reason text not null default '',
  milestone_id bigint references milestone (id) on delete set null,
  deadline_at timestamptz,
  -- From 1 without gaps among those of its kind in the repository.
  pin_position bigint,
  ref text not null,
  -- To whom it is open without any grant: the audience of the repository, or nobody where its unit is off. By triggers.
  audience text not null default 'nobody' check (audience in ('public', 'limited', 'private', 'nobody')),
  -- Entries of the timeline that somebody wrote.
  comments bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (repository_id, number)
);
create index issue_list on issue (repository_id, created_at, id);
create index issue_state on issue (repository_id, is_closed, created_at, id);
create index issue_kind on issue (repository_id, is_pull, created_at, id);
create index issue_kind_state on issue (repository_id, is_pull, is_closed, created_at, id);
create index issue_author on issue (author_id, repository_id) where author_id is not null;
create index issue_milestone on issue (milestone_id, created_at, id) where milestone_id is not null;
create index issue_by_number on issue (number);
-- The search: one index for each kind of caller, so that the latest that are open to them come first.
create index issue_public on issue (is_pull, is_closed, created_at desc, id desc) where audience = 'public';
create index issue_limited on issue (is_pull, is_closed, created_at desc, id desc)
  where audience in ('public', 'limited');
create index issue_anyones on issue (is_pull, is_closed, created_at desc, id desc) where audience <> 'nobody';
create index issue_text on issue using gin (lower(title || E'\n' || body) gin_trgm_ops);
create index issue_pinned on issue (repository_id, is_pull, pin_position) where pin_position is not null;

create table issue_assignee (
  issue_id bigint not null references issue (id) on delete cascade,
  user_id bigint not null references account (id) on delete cascade,
  created_at timestamptz not null,
  primary key (issue_id, user_id)
);
create index issue_assignee_user on issue_assignee (user_id, issue_id);

create table issue_label (
  issue_id bigint not null references issue (id) on delete cascade,
  label_id bigint not null references label (id) on delete cascade,
  primary key (issue_id, label_id)
);
create index issue_label_label on issue_label (label_id, issue_id);

-- The timeline: what was said, and what was changed.
create table issue_comment (
  id bigint generated always as identity primary key,
  issue_id bigint not null references issue (id) on delete cascade,
  -- That of the issue, which takes the row along when it goes: so that the comments of a repository have an index.
  repository_id bigint not null,
  kind text not null,
  author_id bigint references account (id) on delete set null,
  original_author text not null default '',
  original_author_id bigint not null default 0,
  body text not null,
  content_version bigint not null default 0,
  -- What an entry of its kind is about: titles, names and the numbers of labels, people and milestones.
  payload jsonb not null default '{}',
  -- Where this issue was referred to: in another, in a comment on it, or in a commit. What the text says should become
  -- of this one, or that it says so no more.
  ref_issue_id bigint references issue (id) on delete cascade,
  ref_comment_id bigint references issue_comment (id) on delete set null,
  ref_commit text,
  -- That of the commit, where it is another.
  ref_repository_id bigint references repository (id) on delete cascade,
  ref_action text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index issue_comment_ref_issue on issue_comment (ref_issue_id, ref_comment_id) where ref_issue_id is not null;
create index issue_comment_ref_comment on issue_comment (ref_comment_id) where ref_comment_id is not null;
-- However often a commit is pushed, it is one entry.
create unique index issue_comment_ref_commit on issue_comment (issue_id, ref_commit) where ref_commit is not null;
create index issue_comment_ref_repository on issue_comment (ref_repository_id) where ref_repository_id is not null;
create index issue_comment_issue on issue_comment (issue_id, created_at, id);
create index issue_comment_repository on issue_comment (repository_id, created_at, id) where kind = 'comment';
create index issue_comment_text on issue_comment using gin (lower(body) gin_trgm_ops) where kind = 'comment';
create index issue_comment_author on issue_comment (author_id, issue_id) where author_id is not null;

-- To an issue, or to one of its comments.
create table reaction (
  id bigint generated always as identity primary key,
  issue_id bigint not null references issue (id) on delete cascade,
  comment_id bigint references issue_comment (id) on delete cascade,
  user_id bigint not null references account (id) on delete cascade,
  content text not null,
  created_at timestamptz not null,
  unique nulls not distinct (issue_id, comment_id, user_id, content)
);
create index reaction_list on reaction (issue_id, comment_id, id);
create index reaction_comment on reaction (comment_id) where comment_id is not null;
create index reaction_user on reaction (user_id);

-- Who asked to be told, or not to be, whatever else ties them to the issue.
create table issue_subscription (
  issue_id bigint not null references issue (id) on delete cascade,
  user_id bigint not null references account (id) on delete cascade,
  is_subscribed boolean not null,
  updated_at timestamptz not null,
  primary key (issue_id, user_id)
);
create index issue_subscription_user on issue_subscription (user_id);

create function audience_of_issue(of_pull boolean, units text[], audience text) returns text language sql immutable as $$
  select case when case when of_pull then 'pulls' else 'issues' end = any (units) then audience else 'nobody' end
$$;

-- Whoever inserts one holds the number of its repository (issue_number) until they are done.
create function decide_issue_audience() returns trigger language plpgsql as $$
begin
  select audience_of_issue(new.is_pull, repository.units, repository.audience) into new.audience
  from repository where repository.id = new.repository_id;
  return new;
end
$$;
create trigger issue_audience before insert on issue for each row execute function decide_issue_audience();

-- In the transaction that hides a repository, so that nobody finds what they may no longer see. It waits for issues that
-- are being inserted, and those after it wait for it: on the row of issue_number, which is made for this if need be.
create function follow_repository_audience() returns trigger language plpgsql as $$
begin
  insert into issue_number (repository_id, last) values (new.id, 0)
    on conflict (repository_id) do update set last = issue_number.last;
  update issue set audience = audience_of_issue(is_pull, new.units, new.audience)
    where repository_id = new.id and audience <> audience_of_issue(is_pull, new.units, new.audience);
  return null;
end
$$;
create trigger issue_audience_follows after update of owner_id, is_private, audience, units on repository
  for each row when (old.audience <> new.audience or old.units <> new.units)
  execute function follow_repository_audience();
