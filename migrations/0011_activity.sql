-- phase: expand
-- Activity: what was done in repositories, and who is told of it.

-- Every table begins with what it would be spread by over partitions or machines: an act by its repository, an entry of
-- a feed by its recipient, and the entry knows the repository of its act. So there are no foreign keys between them;
-- whatever points to nothing is not shown.
create table activity (
  repository_id bigint not null,
  id bigint generated always as identity,
  actor_id bigint not null,
  op_type text not null,
  ref_name text not null default '',
  content text not null default '',
  -- The entry of a timeline that tells of it, too.
  comment_id bigint,
  -- Whether the repository was private then.
  is_private boolean not null,
  created_at timestamptz not null,
  primary key (repository_id, id)
);
-- What decides whether an act is shown is in the index, so that hidden ones are passed over without being read.
create index activity_repository on activity (repository_id, created_at, id) include (actor_id, is_private);

-- One narrow row for everybody who is told: a feed is one range of the index, whoever is asked for.
create table activity_feed (
  recipient_id bigint not null references account (id) on delete cascade,
  created_at timestamptz not null,
  activity_id bigint not null,
  repository_id bigint not null,
  actor_id bigint not null,
  is_private boolean not null,
  primary key (recipient_id, created_at, activity_id) include (repository_id, actor_id, is_private)
);
-- What somebody has done themselves is far less than what they are told.
create index activity_feed_own on activity_feed (recipient_id, created_at, activity_id)
  include (repository_id, is_private) where actor_id = recipient_id;
