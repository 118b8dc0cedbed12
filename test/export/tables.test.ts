/** Every table with rows of a repository leaves in an export, or is listed here with the reason why it does not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startForge } from '#testing'

/** By table, the file of the export that has its rows. */
const EXPORTED: Readonly<Record<string, string>> = {
  attachment: 'files/UUID',
  branch_protection: 'branch_protections.jsonl',
  collaboration: 'collaborators.jsonl',
  git_ref: 'code.bundle and wiki.bundle',
  git_storage: 'code.bundle and wiki.bundle',
  git_storage_pack: 'code.bundle and wiki.bundle',
  issue: 'issues.jsonl',
  issue_assignee: 'issues.jsonl',
  issue_comment: 'comments.jsonl and reviews.jsonl',
  issue_dependency: 'dependencies.jsonl',
  issue_label: 'issues.jsonl',
  label: 'labels.jsonl',
  lfs_link: 'lfs/OID',
  milestone: 'milestones.jsonl',
  project: 'projects.jsonl',
  project_card: 'cards.jsonl',
  project_column: 'projects.jsonl',
  project_rule: 'projects.jsonl',
  pull_request: 'pulls.jsonl',
  reaction: 'issues.jsonl and comments.jsonl',
  release: 'releases.jsonl',
  repository: 'repository.json',
  review: 'reviews.jsonl',
  review_comment: 'reviews.jsonl',
  tag_protection: 'tag_protections.jsonl',
  tracked_time: 'times.jsonl',
}

const RUNS = 'runs of Actions, their logs and artifacts stay behind'
const COUNTED = 'is counted again by the import'
const QUEUE = 'is a queue'
const LOG = 'is a log of this forge'
const PERSONAL = 'belongs to other people'
const SECRET = 'is a secret, or tied to one'
const COMPUTED = 'is computed again'

const LEFT: Readonly<Record<string, string>> = {
  abuse_report: 'belongs to the administrators of this forge',
  action_artifact: RUNS,
  action_artifact_part: RUNS,
  action_attempt: RUNS,
  action_job: RUNS,
  action_log_piece: RUNS,
  action_run: RUNS,
  action_run_number: RUNS,
  action_runner: SECRET,
  action_runner_token: SECRET,
  action_schedule: 'is read from the workflows at the next push',
  action_secret: SECRET,
  action_step: RUNS,
  action_task: RUNS,
  action_variable: SECRET,
  action_workflow_off: 'who enables Actions elsewhere decides anew which workflows run',
  activity: PERSONAL,
  activity_feed: PERSONAL,
  audit_record: LOG,
  code_owner: COMPUTED,
  code_owner_check: COMPUTED,
  commit_status: 'the programs that reported them report to one forge',
  deleted_branch: 'exists for some days, so that a branch can be restored',
  deploy_key: SECRET,
  git_branch_count: COUNTED,
  git_generation: COMPUTED,
  git_kept_tip: 'keeps objects of deleted refs for some days',
  import: QUEUE,
  import_page: QUEUE,
  issue_closing_commit: COMPUTED,
  issue_content_history: 'earlier texts stay behind, as the other entries of timelines',
  issue_number: COUNTED,
  issue_reviewer: 'requests for reviews have an effect only where they were made',
  issue_subscription: PERSONAL,
  job_token: SECRET,
  label_count: COUNTED,
  lfs_lock: 'is held by a person who works in this forge',
  lfs_walk: QUEUE,
  merge_queue_entry: QUEUE,
  milestone_count: COUNTED,
  mirror: SECRET,
  notification: PERSONAL,
  notification_mail: PERSONAL,
  package: 'packages belong to the owner',
  package_file: 'packages belong to the owner',
  package_version: 'packages belong to the owner',
  pinned_repository: PERSONAL,
  project_count: COUNTED,
  pull_auto_merge: 'has an effect only where it was requested',
  pull_merge: 'is how a merge was made here',
  pull_version: 'older versions of pull requests stay behind; the last one is in code.bundle',
  push_mirror: SECRET,
  repository_count: COUNTED,
  repository_deleted: QUEUE,
  repository_language: COMPUTED,
  repository_redirect: 'is an address of this forge',
  repository_transfer: 'has an effect only where it was requested',
  review_look: PERSONAL,
  star: PERSONAL,
  stopwatch: PERSONAL,
  team_repository: 'teams are not exported',
  viewed_change: PERSONAL,
  watch: PERSONAL,
  webhook: SECRET,
  webhook_delivery: LOG,
}

/** Tables that hang on a repository or its git storage by foreign keys, or name them in a column. */
async function listTables(): Promise<string[]> {
  await using forge = await startForge()
  const { rows } = await sql<{ name: string }>`
    with recursive held (oid) as (
      select oid from pg_class where oid in ('repository'::regclass, 'git_storage'::regclass)
      union select conrelid from pg_constraint join held on confrelid = held.oid where contype = 'f')
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      and (oid in (select oid from held) or exists (
        select from pg_attribute
        where attrelid = pg_class.oid and attname ~ '(repository|storage)_id$' and not attisdropped))
    order by 1`.execute(forge.db)
  return rows.map(({ name }) => name)
}

test('every table with rows of a repository is exported, or has a reason why it is not', async () => {
  const tables = await listTables()
  assert.deepEqual(
    tables.filter((it) => !(it in EXPORTED) && !(it in LEFT)),
    [],
  )
  assert.deepEqual(
    [...Object.keys(EXPORTED), ...Object.keys(LEFT)].filter((it) => !tables.includes(it)),
    [],
  )
  assert.deepEqual(
    Object.keys(EXPORTED).filter((it) => it in LEFT),
    [],
  )
})
