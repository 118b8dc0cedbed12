/** Helpers for tests of workflows: files of a repository, the runs they caused, and reports of runners. */
import assert from 'node:assert/strict'
import { transact } from '#platform/context'
import { changeJobs, lockRun } from '../../domains/actions/runs/record/change.ts'
import type { Result } from '../../domains/actions/runs/record/status.ts'
import type { Forge } from '../forge.ts'

/** A user's repository with files in its default branch, all in one commit. */
export async function makeRepository(
  forge: Forge,
  owner: string,
  name: string,
  files: Record<string, string> = {},
) {
  const answer = await forge.call(owner, 'POST', '/user/repos', {
    name,
    auto_init: true,
    default_branch: 'main',
  })
  assert.equal(answer.status, 201)
  const root = `/repos/${owner}/${name}`
  if (Object.keys(files).length > 0) await commit(forge, owner, root, files)
  return root
}

export async function commit(
  forge: Forge,
  as: string,
  root: string,
  files: Record<string, string>,
  more: object = {},
): Promise<string> {
  const answer = await forge.call(as, 'POST', `${root}/contents`, {
    branch: 'main',
    message: 'files',
    files: Object.entries(files).map(([path, text]) => ({
      operation: 'create',
      path,
      content: Buffer.from(text).toString('base64'),
    })),
    ...more,
  })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  await forge.runJobs()
  return answer.body.commit.sha
}

export interface SeenRun {
  readonly id: number
  readonly event: string
  readonly file: string
  readonly ref: string
  readonly status: string
}

/** Oldest first. */
export async function listRuns(forge: Forge, root: string): Promise<SeenRun[]> {
  const [, , owner = '', name = ''] = root.split('/')
  return forge.db
    .selectFrom('action_run')
    .innerJoin('repository', 'repository.id', 'action_run.repository_id')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .where('account.login', '=', owner)
    .where('repository.name', '=', name)
    .select(['action_run.id', 'event', 'workflow_file as file', 'ref', 'status'])
    .orderBy('action_run.id')
    .execute()
}

/** Names and statuses of the jobs of its latest attempt. */
export async function listJobs(forge: Forge, runId: number): Promise<string[]> {
  const jobs = await forge.db
    .selectFrom('action_job')
    .innerJoin('action_run', (join) =>
      join
        .onRef('action_run.id', '=', 'action_job.run_id')
        .onRef('action_run.attempt', '=', 'action_job.attempt'),
    )
    .select(['action_job.name', 'action_job.status'])
    .where('run_id', '=', runId)
    .orderBy('action_job.id')
    .execute()
  return jobs.map(({ name, status }) => `${name}: ${status}`)
}

/** Reports a job as done, as a runner would, and lets the run continue. */
export async function report(
  forge: Forge,
  runId: number,
  name: string,
  result: Result,
  outputs: Record<string, string> = {},
): Promise<void> {
  await reportOnly(forge, runId, name, result, outputs)
  await forge.runJobs()
}

export async function reportOnly(
  forge: Forge,
  runId: number,
  name: string,
  result: Result,
  outputs: Record<string, string> = {},
): Promise<void> {
  await transact(forge.ctx, async (ctx) => {
    const run = await lockRun(ctx.db, runId)
    assert.ok(run)
    const job = await ctx.db
      .selectFrom('action_job')
      .selectAll()
      .where('run_id', '=', runId)
      .where('attempt', '=', run.attempt)
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    assert.equal(job.status, 'waiting', `${name} waits for a runner`)
    const now = ctx.now()
    await changeJobs(ctx, run, [
      { job, set: { status: result, started_at: now, outputs: JSON.stringify(outputs) } },
    ])
  })
}
