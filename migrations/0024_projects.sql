-- phase: expand
-- Projects: boards of a repository, or of an account for all of its repositories.
create table project (
  id bigint generated always as identity primary key,
  repository_id bigint references repository (id) on delete cascade,
  owner_id bigint references account (id) on delete cascade,
  -- None: whoever made it is gone.
  creator_id bigint references account (id) on delete set null,
  title text not null,
  description text not null,
  template_type text not null check (template_type in ('none', 'basic_kanban', 'bug_triage')),
  card_type text not null check (card_type in ('text_only', 'images_and_text')),
  is_closed boolean not null default false,
  closed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (num_nonnulls(repository_id, owner_id) = 1)
);
create index project_repository on project (repository_id, id) where repository_id is not null;
create index project_repository_state on project (repository_id, is_closed, id) where repository_id is not null;
create index project_owner on project (owner_id, id) where owner_id is not null;
create index project_owner_state on project (owner_id, is_closed, id) where owner_id is not null;
create index project_creator on project (creator_id) where creator_id is not null;

create table project_column (
  id bigint generated always as identity primary key,
  project_id bigint not null references project (id) on delete cascade,
  creator_id bigint references account (id) on delete set null,
  title text not null,
  -- # and six hexadecimal digits, or empty.
  color text not null,
  -- Where an issue comes that is added to the project and to no column in particular.
  is_default boolean not null,
  -- Several may have the same: then the older one is first.
  sorting bigint not null check (sorting between -128 and 127),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, id)
);
create index project_column_order on project_column (project_id, sorting, id);
create unique index project_column_default on project_column (project_id) where is_default;
create index project_column_creator on project_column (creator_id) where creator_id is not null;

-- Which issues are in which projects. Invariant: an issue is in one column of a project at most, and that is one of its
-- columns. Whoever changes cards of a project has locked its row in `project`; an issue that goes takes its cards along.
create table project_card (
  issue_id bigint not null references issue (id) on delete cascade,
  project_id bigint not null,
  column_id bigint not null,
  -- Those of the issue, so that the cards that somebody may see are told without it.
  repository_id bigint not null,
  is_pull boolean not null,
  -- Several may have the same: then the newer issue is first.
  sorting bigint not null,
  primary key (issue_id, project_id),
  foreign key (project_id, column_id) references project_column (project_id, id) on delete cascade
);
create index project_card_order on project_card (column_id, sorting, issue_id desc);
create index project_card_repository on project_card (repository_id, project_id);

-- By repository, because not everybody sees all of them. Kept in the transaction that changes what they count.
create table project_count (
  project_id bigint not null references project (id) on delete cascade,
  repository_id bigint not null references repository (id) on delete cascade,
  is_pull boolean not null,
  open_issues bigint not null default 0,
  closed_issues bigint not null default 0,
  primary key (project_id, repository_id, is_pull)
);
create index project_count_repository on project_count (repository_id);
