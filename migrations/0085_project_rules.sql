-- phase: expand
-- The column of a project that takes cards when their issue is closed or reopened, or their pull request merged.
create table project_rule (
  project_id bigint not null,
  event text not null check (event in ('closed', 'merged', 'reopened')),
  column_id bigint not null,
  primary key (project_id, event),
  foreign key (project_id, column_id) references project_column (project_id, id) on delete cascade
);
create index project_rule_column on project_rule (project_id, column_id);
