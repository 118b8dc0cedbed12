-- phase: expand
-- Storage of each owner by kind: the bytes used, counted in the transaction that adds or removes them, and the owner's
-- own limit. Bytes of a repository are also counted beside its other counters, so that it takes them along when it is
-- transferred.
create table account_usage (
  account_id bigint not null references account (id) on delete cascade,
  kind text not null check (kind in ('git', 'packages', 'artifacts', 'logs', 'attachments')),
  bytes bigint not null default 0,
  -- Null for the limit of the settings, -1 for none.
  bytes_max bigint check (bytes_max >= -1),
  primary key (account_id, kind)
);

alter table repository_count add column wiki_bytes bigint not null default 0;
alter table repository_count add column artifact_bytes bigint not null default 0;
alter table repository_count add column log_bytes bigint not null default 0;
alter table repository_count add column attachment_bytes bigint not null default 0;

-- Bytes of the task's log that are counted: logs are counted when they end.
alter table action_task add column counted_log_bytes bigint not null default 0;

-- What is stored already. `bloomery usage recount` mends what nodes of the version before this one do meanwhile.
update action_task set counted_log_bytes = stored.bytes
from (select task_id, sum(bytes) as bytes from action_log_piece where task_id is not null group by task_id) as stored
where action_task.id = stored.task_id and action_task.is_log_done;

update repository_count set bytes = stored.git, wiki_bytes = stored.wiki, artifact_bytes = stored.artifacts, log_bytes = stored.logs,
  attachment_bytes = stored.attachments
from (
  select repository_id, coalesce(sum(bytes) filter (where kind = 'git'), 0) as git,
    coalesce(sum(bytes) filter (where kind = 'wiki'), 0) as wiki,
    coalesce(sum(bytes) filter (where kind = 'artifacts'), 0) as artifacts,
    coalesce(sum(bytes) filter (where kind = 'logs'), 0) as logs,
    coalesce(sum(bytes) filter (where kind = 'attachments'), 0) as attachments
  from (
    select repository.id as repository_id,
      case git_storage_pack.storage_id when repository.storage_id then 'git' else 'wiki' end as kind, git_pack.bytes
    from repository join git_storage_pack
      on git_storage_pack.storage_id in (repository.storage_id, repository.wiki_storage_id)
    join git_pack on git_pack.id = git_storage_pack.pack_id where git_storage_pack.retired_at is null
    union all
    select repository_id, 'artifacts', bytes from action_artifact
    union all
    select action_job.repository_id, 'logs', action_task.counted_log_bytes
    from action_task join action_job on action_job.id = action_task.job_id
    union all
    select release.repository_id, 'attachments', attachment.bytes
    from attachment join release on release.id = attachment.release_id
    union all
    select issue.repository_id, 'attachments', attachment.bytes
    from attachment left join issue_comment on issue_comment.id = attachment.comment_id
    join issue on issue.id = coalesce(attachment.issue_id, issue_comment.issue_id)
  ) as piece group by repository_id
) as stored
where repository_count.repository_id = stored.repository_id;

insert into account_usage (account_id, kind, bytes)
select repository.owner_id, kind.name, sum(kind.bytes)
from repository join repository_count on repository_count.repository_id = repository.id
cross join lateral (values ('git', repository_count.bytes + wiki_bytes), ('artifacts', artifact_bytes),
  ('logs', log_bytes), ('attachments', attachment_bytes)) as kind (name, bytes)
group by repository.owner_id, kind.name
union all
select owner_id, 'packages', sum(bytes) from (
  select distinct package_version.owner_id, package_blob.id, package_blob.bytes
  from package_version join package_file on package_file.version_id = package_version.id
  join package_blob on package_blob.id = package_file.blob_id) as content
group by owner_id;
