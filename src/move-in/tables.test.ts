/** Every table is filled by the move-in, or is listed here with the reason why it is not. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { slices } from '#cli'
import { STEPS } from './steps.ts'

/** Tables that are written by other means than a carry: counters, git, jobs, the state of the move itself. */
const BY_OTHER_STEPS: ReadonlySet<string> = new Set([
  'label_count',
  'milestone_count',
  'project_count',
  'issue_number',
  'issue_reviewer',
  'account_usage',
  'repository_tally',
  'topic',
])

const EMPTY: Readonly<Record<string, string>> = {
  abuse_report: 'Gitea has none',
  account_suspension: 'is another kind of ban, with a reason',
  action_artifact: 'runs stay behind',
  action_artifact_part: 'runs stay behind',
  action_attempt: 'runs stay behind',
  action_job: 'runs stay behind',
  action_log_piece: 'runs stay behind',
  action_run: 'runs stay behind',
  action_run_number: 'runs stay behind',
  action_schedule: 'is read from the workflows at the next push',
  action_step: 'runs stay behind',
  action_task: 'runs stay behind',
  activity: 'feeds begin anew',
  activity_feed: 'feeds begin anew',
  audit_chain: 'records begin here',
  audit_record: 'records begin here',
  audit_refusal: 'records begin here',
  audit_seal: 'records begin here',
  authentication_source: 'is set up anew',
  cron_task: 'is the schedule of this forge',
  letter_count: 'is a counter',
  code_owner: 'is computed when a pull request moves',
  code_owner_check: 'is computed when a pull request moves',
  draft: 'is kept by browsers in Gitea',
  external_identity: 'is linked anew at the first sign-in',
  import: 'is a queue',
  import_host: 'Gitea keeps the service, not the host',
  import_page: 'is a queue',
  imported_author: 'Gitea keeps the service, not the host',
  invitation: 'is sent anew',
  issue_closing_commit: 'is computed when a pull request moves',
  job_token: 'is valid for one job',
  known_address: 'is learned at the first sign-in',
  lfs_walk: 'is work of this forge',
  merge_queue_entry: 'Gitea has no merge queue',
  notification_mail: 'is a queue',
  oauth2_code: 'is valid for minutes',
  oauth2_refresh_token: 'is signed by a key of Gitea; applications ask again',
  oauth2_signing_key: 'is made anew',
  oauth2_token_family: 'applications ask again',
  package_object: 'is a queue',
  package_upload: 'is a queue',
  pinned_repository: 'Gitea has none',
  project_rule: 'Gitea has none',
  provisioned_member: 'Gitea has no SCIM',
  pull_merge: 'is how a merge was made here',
  recovery_code: 'scratch codes are hashes in another form',
  repository_deleted: 'Gitea deletes at once',
  review_look: 'Gitea does not record it',
  saved_view: 'Gitea has none',
  scim_group: 'Gitea has no SCIM',
  scim_token: 'Gitea has no SCIM',
  scim_user: 'Gitea has no SCIM',
  sign_in_failure: 'is a counter of minutes',
  sign_in_step: 'is valid for minutes',
  signing_key: 'is made anew',
  source_mapping: 'is set up anew',
  source_step: 'is valid for minutes',
  token_use: 'uses begin anew',
  undo: 'is valid for minutes',
  viewed_change: 'marks of viewed files are digests of another form',
  web_session: 'people sign in anew',
  webhook_circuit: 'is a counter',
  webhook_delivery: 'is the log of deliveries',
  webhook_payload: 'is the log of deliveries',
}

test('every table of a slice is filled, or has a reason why it is not', () => {
  const filled = new Set(STEPS.flatMap((step) => (step.kind === 'carry' ? [step.into] : [])))
  const tables = slices.flatMap((slice) => slice.tables as readonly string[])
  const missing = tables.filter((it) => !filled.has(it) && !BY_OTHER_STEPS.has(it) && !(it in EMPTY))
  assert.deepEqual(missing, [])
  assert.deepEqual(
    Object.keys(EMPTY).filter((it) => filled.has(it)),
    [],
  )
  const known = new Set(tables)
  assert.deepEqual(
    [...filled, ...Object.keys(EMPTY)].filter((it) => !known.has(it)),
    [],
  )
})
