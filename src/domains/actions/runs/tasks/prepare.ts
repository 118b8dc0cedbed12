/** The message for a runner that has taken a job: payload, contexts, secrets, variables, and results of needed jobs. */
import { findSecrets, findVariables } from '#domains/actions/secrets'
import { readSteps } from '#domains/actions/workflows'
import { findAccountById } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { must } from '#platform/must'
import { githubContext } from '../engine/github-context.ts'
import { sealMasks } from '../logs/hide-secrets.ts'
import { isDone, type Result } from '../record/status.ts'
import type { JobRow, RunRow } from '../record/tables.ts'
import { runtimeToken } from './runtime-token.ts'

export interface Need {
  readonly result: Result
  readonly outputs: Readonly<Record<string, string>>
}

export interface PreparedTask {
  readonly id: number
  readonly payload: string
  readonly context: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
  readonly vars: Readonly<Record<string, string>>
  readonly needs: Readonly<Record<string, Need>>
}

/**
 * Undefined if the task has ended since it was taken: a stalled node may find that the job was given to another
 * runner. The check is the last statement.
 */
export async function prepareTask(
  ctx: Context,
  taskId: number,
  token: string,
): Promise<PreparedTask | undefined> {
  const job = await ctx.db
    .selectFrom('action_job')
    .selectAll('action_job')
    .where('action_job.id', '=', (eb) =>
      eb.selectFrom('action_task').select('action_task.job_id').where('action_task.id', '=', taskId),
    )
    .executeTakeFirstOrThrow()
  const run = await ctx.db
    .selectFrom('action_run')
    .selectAll()
    .where('id', '=', job.run_id)
    .executeTakeFirstOrThrow()
  const repo = await ctx.db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select(['repository.id', 'repository.name', 'repository.owner_id', 'repository.storage_id'])
    .select('account.login')
    .where('repository.id', '=', run.repository_id)
    .executeTakeFirstOrThrow()
  // Authors of forks are not trusted with secrets.
  const secrets = run.is_from_fork ? {} : await findSecrets(ctx, repo)
  const runtime = runtimeToken(token, { run_id: run.id, job_id: job.id, task_id: taskId })
  const payload = must(job.payload, 'a job that is ready has its payload')
  const steps = await readSteps({ storageId: repo.storage_id, signal: ctx.signal }, payload)
  const task = {
    id: taskId,
    payload,
    context: { ...(await contextOf(ctx, repo, run, job)), ...tokensOf(ctx, token, runtime) },
    secrets: { ...secrets, GITHUB_TOKEN: token, GITEA_TOKEN: token },
    vars: await findVariables(ctx.db, repo),
    needs: job.needs.length === 0 ? {} : await findNeeds(ctx.db, job),
  }
  const masks = [...Object.values(secrets), token, runtime]
  const isHeld = await keep(ctx, taskId, 'said' in steps ? steps.said : [], masks)
  return isHeld ? task : undefined
}

async function contextOf(
  ctx: Context,
  repo: { readonly name: string; readonly login: string },
  run: RunRow,
  job: JobRow,
): Promise<Record<string, unknown>> {
  const actorId = run.trigger_actor_id ?? run.actor_id
  const actor = actorId === null ? undefined : await findAccountById(ctx.db, actorId)
  const named = { name: repo.name, owner: { login: repo.login } }
  return githubContext(ctx, named, run, job, actor?.login ?? '')
}

function tokensOf({ config, site }: Context, token: string, runtime: string): Record<string, unknown> {
  const url = config['actions.default_url']
  return {
    token,
    gitea_runtime_token: runtime,
    gitea_default_actions_url: url === 'self' ? site.url.replace(/\/$/, '') : url,
  }
}

/** The jobs of a matrix share one key; their combined result is the worst of them. */
async function findNeeds(db: Db, job: JobRow): Promise<Record<string, Need>> {
  const rows = await db
    .selectFrom('action_job')
    .select(['key', 'status', 'outputs'])
    .where('run_id', '=', job.run_id)
    .where('attempt', '=', job.attempt)
    .where('parent_id', 'is not distinct from', job.parent_id)
    .where('key', 'in', job.needs)
    .orderBy('id')
    .execute()
  const needs: Record<string, Need> = {}
  for (const { key, status, outputs } of rows) {
    const known = needs[key]
    const result = isDone(status) ? status : 'failure'
    needs[key] = {
      result: known === undefined ? result : worse(known.result, result),
      outputs: { ...known?.outputs, ...outputs },
    }
  }
  return needs
}

const FROM_WORST: readonly Result[] = ['failure', 'cancelled', 'success', 'skipped']

function worse(one: Result, other: Result): Result {
  return FROM_WORST.indexOf(one) <= FROM_WORST.indexOf(other) ? one : other
}

/**
 * Stores the names of the steps, which the runner reports by position only, and the masks of the log. False if the
 * task does not run any more.
 */
async function keep(
  ctx: Context,
  taskId: number,
  names: readonly string[],
  masks: readonly string[],
): Promise<boolean> {
  const steps = names.map((name, position) => ({
    task_id: taskId,
    position,
    name,
    status: 'waiting' as const,
    started_at: null,
    stopped_at: null,
  }))
  const sealed_masks = sealMasks(ctx, masks)
  return transact(ctx, async (ctx) => {
    const kept = await ctx.db
      .updateTable('action_task')
      .set({ sealed_masks })
      .where('id', '=', taskId)
      .where('status', '=', 'running')
      .returning('id')
      .executeTakeFirst()
    if (kept !== undefined && steps.length > 0) await ctx.db.insertInto('action_step').values(steps).execute()
    return kept !== undefined
  })
}
