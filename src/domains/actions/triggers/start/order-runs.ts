/** Finds the workflows that match an event and queues one job for each run. */
import { randomUUID } from 'node:crypto'
import { type Happening, matches, matchesPaths } from '#domains/actions/workflows'
import type { Repository } from '#domains/code/repositories'
import { findCommit } from '#git'
import type { Context, TxContext } from '#platform/context'
import { addJobs, type NewJob } from '#platform/queue'
import { type FoundWorkflow, findWorkflows } from '../files/find-workflows.ts'
import { listOff } from '../files/off.ts'
import { boundedJson } from './bounded-json.ts'

/** An event that may trigger runs, with the commit and payload of those runs. */
export interface Cause {
  readonly repo: Repository
  readonly happening: Happening
  readonly actorId: number
  readonly ref: string
  readonly sha: string
  /** The `github.event` of jobs. */
  readonly payload: object
  readonly headRef?: string
  readonly baseRef?: string
  /** The issue of the pull request whose head or base runs. */
  readonly issueId?: number
  /** The commit is a merge that the merge queue made. */
  readonly isQueued?: boolean
  readonly inputs?: Readonly<Record<string, unknown>>
  /** Changed files; null if unknown, for example because the diff is truncated. */
  readonly findPaths?: () => Promise<readonly string[] | null>
}

/** One run to start: a cause and a workflow file, as payload of the queued job. */
export interface RunOrder {
  /** Stored in `action_run.start_key`: a job that is carried out twice starts the run once. */
  readonly key: string
  readonly repository_id: number
  readonly file: string
  readonly event: string
  readonly actor_id: number
  readonly ref: string
  readonly sha: string
  /** JSON of bounded size. */
  readonly payload: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly head_ref: string
  readonly base_ref: string
  readonly issue_id: number | null
  readonly is_queued: boolean
}

/** Kind of the job that starts one run; see `start-ordered.ts`. */
export const START_RUN_JOB = 'start_run'

/** For one event. A push may move 20 refs with 100 workflow files each. */
const RUNS_MAX = 100
/** Markers in a commit message that skip all workflows. */
const SKIP = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/i
const SKIPPABLE: readonly string[] = ['push', 'pull_request']

/** The runs that these causes trigger, for `orderRuns`. */
export async function findOrders(ctx: Context, causes: readonly Cause[]): Promise<readonly RunOrder[]> {
  const orders: RunOrder[] = []
  for (const cause of causes)
    for (const { file } of await findMatching(ctx, cause)) orders.push(orderOf(cause, file))
  if (orders.length > RUNS_MAX)
    ctx.log.warn(
      { 'repository.id': orders[0]?.repository_id, 'runs.ordered': orders.length },
      'event makes too many runs',
    )
  return orders.slice(0, RUNS_MAX)
}

export async function orderRuns(ctx: TxContext, orders: readonly RunOrder[]): Promise<void> {
  const attemptsMax = ctx.config['jobs.attempts_max']
  await addJobs(
    ctx,
    orders.map((payload) => startJob(payload, attemptsMax)),
  )
}

/**
 * Serial by repository: each start counts the unfinished jobs of the runs before it, and a repository occupies one
 * worker.
 */
export function startJob(order: RunOrder, attemptsMax: number): NewJob {
  const group = String(order.repository_id)
  return { kind: START_RUN_JOB, payload: order, attemptsMax, group, isSerial: true }
}

export function orderOf(cause: Cause, file: string): RunOrder {
  return {
    key: randomUUID(),
    repository_id: cause.repo.id,
    file,
    event: cause.happening.event,
    actor_id: cause.actorId,
    ref: cause.ref,
    sha: cause.sha,
    payload: boundedJson(cause.payload),
    inputs: cause.inputs ?? {},
    head_ref: cause.headRef ?? '',
    base_ref: cause.baseRef ?? '',
    issue_id: cause.issueId ?? null,
    is_queued: cause.isQueued ?? false,
  }
}

async function findMatching(ctx: Context, cause: Cause): Promise<readonly FoundWorkflow[]> {
  const { repo, happening } = cause
  const found = (await findWorkflows(ctx, repo, cause.sha)).filter(({ read }) =>
    read?.triggers.some((it) => matches(it, happening) !== false),
  )
  if (found.length === 0) return []
  const message = (await findCommit(ctx, repo.storage_id, cause.sha))?.message ?? ''
  if (SKIPPABLE.includes(happening.event) && SKIP.test(message)) return []
  const off = await listOff(ctx.db, repo.id)
  const matching: FoundWorkflow[] = []
  for (const workflow of found)
    if (!off.has(workflow.file) && (await isMeant(workflow, cause))) matching.push(workflow)
  return matching
}

async function isMeant({ read }: FoundWorkflow, { happening, findPaths }: Cause): Promise<boolean> {
  for (const trigger of read?.triggers ?? []) {
    const isMatch = matches(trigger, happening)
    if (isMatch === true) return true
    if (isMatch === false) continue
    const paths = findPaths === undefined ? null : await findPaths()
    if (paths === null || matchesPaths(trigger, paths)) return true
  }
  return false
}
