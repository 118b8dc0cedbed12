-- phase: expand
-- Whose code a run carries out decides what it is trusted with, and a run that was ordered by a job starts once.

-- The prefix of its concurrency groups: empty for those that all runs of the repository share, and the head ref of the
-- pull request for runs that a pull request from outside causes. Such a run takes and cancels only groups of its own.
alter table action_run add column group_scope text not null default '';
-- The order that started the run: a second delivery of the same order finds it. Runs from before have none.
alter table action_run add column start_key uuid;
-- An approval is asked for by repository and by the account whose run it was.
create index action_run_approved on action_run (repository_id, actor_id) where approver_id is not null;
create unique index action_run_start_key on action_run (start_key) where start_key is not null;
-- How many jobs of a repository are unfinished, for the bound on them.
create index action_job_repository_open on action_job (repository_id)
  where status in ('blocked', 'waiting', 'running', 'cancelling');
