/**
 * Starts one queued run. Planning happens in a worker thread and may be slow, so it precedes the transaction. Trust
 * is decided before planning and again in the transaction that starts the run.
 */
import { isDeepStrictEqual } from 'node:util'
import { githubContext, type NewRun, NO_ROOM, RUN_ID, RUN_NUMBER, startRun } from '#domains/actions/runs'
import { findVariables } from '#domains/actions/secrets'
import { type FirstPlan, planFirst } from '#domains/actions/workflows'
import { findAsOwner, type Repository } from '#domains/code/repositories'
import { findAccountById } from '#domains/people/users'
import { findCommit } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { addJobs, type JobKind } from '#platform/queue'
import { type FoundWorkflow, findWorkflows } from '../files/find-workflows.ts'
import type { Trust } from '../trust/decide-trust.ts'
import { findTrust } from '../trust/find-trust.ts'
import { type RunOrder, START_RUN_JOB, startJob } from './order-runs.ts'

export interface PreparedRun {
  readonly order: RunOrder
  readonly trust: Trust
  readonly facts: NewRun
  readonly plan: FirstPlan
}

/** `problem`: why the workflow cannot be planned; null if nothing is to run any more. */
interface NotPrepared {
  readonly problem: string | null
}

const TITLE_MAX = 255
/**
 * While the repository has too many unfinished jobs the start is retried at this interval, at most this many times
 * (24 hours).
 */
const ROOM_WAIT_MS = 30_000
const ROOM_WAITS_MAX = 2_880

/** `waited`: how many times the start was postponed. */
type OrderJob = RunOrder & { readonly waited?: number }

/** Users wait for runs to start, so this kind has its own workers. */
export const startJobs: readonly JobKind[] = [
  {
    name: START_RUN_JOB,
    concurrency: (config) => config['jobs.concurrency'],
    run: (ctx, payload) => startOrdered(ctx, payload as OrderJob),
  },
]

async function startOrdered(ctx: Context, order: OrderJob): Promise<void> {
  if (await isStarted(ctx, order.key)) return
  const repo = await findAsOwner(ctx, order.repository_id)
  const found = repo && (await findWorkflows(ctx, repo, order.sha)).find(({ file }) => file === order.file)
  if (repo === undefined || found === undefined) return
  const prepared = await prepareRun(ctx, repo, order, found)
  const named = { 'repository.id': repo.id, 'workflow.path': found.path }
  if ('problem' in prepared) {
    // Compat: a workflow that cannot be planned starts no run.
    if (prepared.problem !== null)
      ctx.log.info({ ...named, 'workflow.problem': prepared.problem }, 'workflow is not valid')
    return
  }
  try {
    await transact(ctx, (ctx) => startPrepared(ctx, prepared))
  } catch (error) {
    if (error !== NO_ROOM) throw error
    const { waited = 0 } = order
    if (waited >= ROOM_WAITS_MAX)
      ctx.log.warn(named, 'run is given up: repository has too many unfinished jobs')
    else await transact(ctx, (ctx) => waitForRoom(ctx, { ...order, waited: waited + 1 }))
  }
}

async function isStarted({ db }: Context, key: string): Promise<boolean> {
  const run = await db.selectFrom('action_run').select('id').where('start_key', '=', key).executeTakeFirst()
  return run !== undefined
}

async function waitForRoom(ctx: TxContext, payload: OrderJob): Promise<void> {
  const job = startJob(payload, ctx.config['jobs.attempts_max'])
  await addJobs(ctx, [{ ...job, waitMs: ROOM_WAIT_MS }])
}

export async function prepareRun(
  ctx: Context,
  repo: Repository,
  order: RunOrder,
  workflow: FoundWorkflow,
): Promise<PreparedRun | NotPrepared> {
  const trust = await findTrust(ctx, repo, subjectOf(order))
  if (trust === null || !trust.runs) return { problem: null }
  const message = (await findCommit(ctx, repo.storage_id, order.sha))?.message ?? ''
  const facts = factsOf(order, workflow, message, trust)
  const asker = { storageId: repo.storage_id, signal: ctx.signal }
  const answer = await planFirst(asker, {
    text: workflow.text,
    files: await textsOf(ctx, repo, order.sha, workflow),
    contexts: {
      github: { ...(await contextOf(ctx, repo, facts)), run_id: RUN_ID, run_number: RUN_NUMBER },
      vars: await findVariables(ctx.db, repo),
      inputs: order.inputs,
    },
    onlyReads: trust.token === 'read',
  })
  if (!('said' in answer)) return answer
  const title = answer.said.title || facts.title
  return { order, trust, facts: { ...facts, title }, plan: answer.said }
}

/** Throws if trust has changed since planning; the queue then retries the job, which plans again. */
export async function startPrepared(ctx: TxContext, { order, trust, facts, plan }: PreparedRun) {
  const repo = await findAsOwner(ctx, order.repository_id)
  const now = repo && (await findTrust(ctx, repo, subjectOf(order)))
  if (!isDeepStrictEqual(now, trust))
    throw new Problem('unavailable', 'rights changed while the run was planned')
  return startRun(ctx, facts, plan)
}

function subjectOf({ event, sha, actor_id, issue_id, is_queued }: RunOrder) {
  return { event, sha, actorId: actor_id, issueId: issue_id ?? undefined, isQueued: is_queued }
}

/** The `github` context of the first plan, before the run has an id. */
async function contextOf(ctx: Context, repo: Repository, facts: NewRun) {
  const actor = await findAccountById(ctx.db, facts.actor_id ?? 0)
  const row = { ...facts, payload: JSON.parse(facts.payload) as object, attempt: 1, id: 0, number: 0 }
  return githubContext(
    ctx,
    repo,
    row as unknown as Parameters<typeof githubContext>[2],
    undefined,
    actor?.login ?? '',
  )
}

/** Candidates for reusable workflows; the planning thread picks those that are used. */
async function textsOf(
  ctx: Context,
  repo: Repository,
  sha: string,
  { text }: FoundWorkflow,
): Promise<Record<string, string>> {
  if (!text.includes('/workflows/')) return {}
  return Object.fromEntries((await findWorkflows(ctx, repo, sha)).map(({ path, text }) => [path, text]))
}

function factsOf(
  order: RunOrder,
  { file, path, text }: FoundWorkflow,
  message: string,
  trust: Trust,
): NewRun {
  return {
    repository_id: order.repository_id,
    // Compat: a run is titled after its commit.
    title: (message.split('\n', 1)[0] ?? '').slice(0, TITLE_MAX),
    workflow_file: file,
    workflow_path: path,
    workflow: text,
    event: order.event,
    payload: order.payload,
    inputs: JSON.stringify(order.inputs),
    ref: order.ref,
    head_sha: order.sha,
    head_ref: order.head_ref,
    base_ref: order.base_ref,
    issue_id: order.issue_id,
    actor_id: order.actor_id,
    trigger_actor_id: order.actor_id,
    is_from_fork: !trust.hasSecrets,
    needs_approval: trust.needsApproval,
    group_scope: trust.groups === 'pull' ? scopeOf(order) : '',
    start_key: order.key,
  }
}

/** One scope for each pull request, and for each untrusted merge queue entry. */
function scopeOf({ issue_id, ref }: RunOrder): string {
  return issue_id === null ? ref : `pull/${issue_id}`
}
