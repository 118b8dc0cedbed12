/** From something that happened to the runs it makes: workflows are read, matched and planned before any transaction. */
import type { Repository } from '#domains/repositories'
import { githubContext, type NewRun, RUN_ID, RUN_NUMBER, startRun } from '#domains/runs'
import { findVariables } from '#domains/secrets'
import { findAccountById } from '#domains/users'
import { type FirstPlan, type Happening, matches, matchesPaths, planFirst } from '#domains/workflows'
import { findCommit } from '#git'
import type { Context, TxContext } from '#platform/context'
import { type FoundWorkflow, findWorkflows } from '../files/find-workflows.ts'
import { listOff } from '../files/off.ts'

/** Something that may make runs, and what they would be about. */
export interface Cause {
  readonly repo: Repository
  readonly happening: Happening
  readonly actorId: number
  readonly ref: string
  readonly sha: string
  /** What jobs know as `github.event`. */
  readonly payload: object
  readonly headRef?: string
  readonly baseRef?: string
  readonly issueId?: number
  readonly isFromFork?: boolean
  readonly needsApproval?: boolean
  readonly inputs?: Readonly<Record<string, unknown>>
  /** Files that were changed; null when nobody can say. */
  readonly findPaths?: () => Promise<readonly string[] | null>
}

export interface PreparedRun {
  readonly facts: NewRun
  readonly plan: FirstPlan
}

const TITLE_MAX = 255
/** Words in the message of a commit for which nothing is run. */
const SKIP = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/i
const SKIPPABLE: readonly string[] = ['push', 'pull_request']

export async function prepareRuns(ctx: Context, cause: Cause): Promise<PreparedRun[]> {
  const { repo, happening } = cause
  const found = (await findWorkflows(ctx, repo, cause.sha)).filter(({ read }) =>
    read?.triggers.some((it) => matches(it, happening) !== false),
  )
  if (found.length === 0) return []
  const message = (await findCommit(ctx, repo.storage_id, cause.sha))?.message ?? ''
  if (SKIPPABLE.includes(happening.event) && SKIP.test(message)) return []
  const off = await listOff(ctx.db, repo.id)
  const prepared: PreparedRun[] = []
  for (const workflow of found) {
    if (off.has(workflow.file) || !(await isMeant(workflow, cause))) continue
    const run = await prepareRun(ctx, cause, workflow, message)
    if ('plan' in run) prepared.push(run)
    // Compat: a workflow that cannot be planned runs nothing.
    else
      ctx.log.info(
        { 'repository.id': repo.id, 'workflow.path': workflow.path, ...run },
        'workflow is not valid',
      )
  }
  return prepared
}

export async function startRuns(ctx: TxContext, prepared: readonly PreparedRun[]): Promise<void> {
  for (const { facts, plan } of prepared) await startRun(ctx, facts, plan)
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

export async function prepareRun(
  ctx: Context,
  cause: Cause,
  workflow: FoundWorkflow,
  message: string,
): Promise<PreparedRun | { readonly problem: string }> {
  const { repo, inputs = {}, isFromFork = false } = cause
  const facts = factsOf(cause, workflow, message)
  const actor = await findAccountById(ctx.db, cause.actorId)
  const row = { ...facts, payload: cause.payload, attempt: 1, id: 0, number: 0 }
  const answer = await planFirst({
    text: workflow.text,
    files: await textsOf(ctx, cause, workflow),
    contexts: {
      github: {
        ...githubContext(
          ctx,
          repo,
          row as unknown as Parameters<typeof githubContext>[2],
          undefined,
          actor?.login ?? '',
        ),
        run_id: RUN_ID,
        run_number: RUN_NUMBER,
      },
      vars: await findVariables(ctx.db, repo),
      inputs,
    },
    onlyReads: isFromFork,
  })
  if (!('said' in answer)) return answer
  const title = answer.said.title || facts.title
  return { facts: { ...facts, title }, plan: answer.said }
}

/** Only those that are used have to be there; the thread finds out which. */
async function textsOf(
  ctx: Context,
  { repo, sha }: Cause,
  { text }: FoundWorkflow,
): Promise<Record<string, string>> {
  if (!/^\s*(?:["']?uses["']?)\s*:\s*["']?\.\//m.test(text)) return {}
  return Object.fromEntries((await findWorkflows(ctx, repo, sha)).map(({ path, text }) => [path, text]))
}

function factsOf(cause: Cause, { file, path, text }: FoundWorkflow, message: string): NewRun {
  return {
    repository_id: cause.repo.id,
    // Compat: a run is called like the commit it is about.
    title: (message.split('\n', 1)[0] ?? '').slice(0, TITLE_MAX),
    workflow_file: file,
    workflow_path: path,
    workflow: text,
    event: cause.happening.event,
    payload: boundedJson(cause.payload),
    inputs: JSON.stringify(cause.inputs ?? {}),
    ref: cause.ref,
    head_sha: cause.sha,
    head_ref: cause.headRef ?? '',
    base_ref: cause.baseRef ?? '',
    issue_id: cause.issueId ?? null,
    actor_id: cause.actorId,
    trigger_actor_id: cause.actorId,
    is_from_fork: cause.isFromFork ?? false,
    needs_approval: cause.needsApproval ?? false,
  }
}

const PAYLOAD_CHARS_MAX = 256 * 1024
const LIST_MAX = 20
const TEXT_MAX = 4_096

/** Long texts and lists are cut, and if that is not enough only what is short is left. */
function boundedJson(payload: object): string {
  const whole = JSON.stringify(payload)
  if (whole.length <= PAYLOAD_CHARS_MAX) return whole
  const cut = JSON.stringify(payload, (_key, value: unknown) => {
    if (Array.isArray(value)) return value.slice(0, LIST_MAX)
    return typeof value === 'string' ? value.slice(0, TEXT_MAX) : value
  })
  if (cut.length <= PAYLOAD_CHARS_MAX) return cut
  const short = Object.entries(payload).filter(
    ([, value]) => (JSON.stringify(value)?.length ?? 0) < TEXT_MAX * 2,
  )
  return JSON.stringify(Object.fromEntries(short))
}
