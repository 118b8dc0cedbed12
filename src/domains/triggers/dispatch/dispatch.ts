/** A workflow that somebody starts by hand, with what it asks for. */
import type { CanWrite } from '#domains/repositories'
import { presentBare, presentSender } from '#domains/repositories'
import { startRun } from '#domains/runs'
import type { Input } from '#domains/workflows'
import { findCommit, resolveRevision } from '#git'
import { type Context, transact } from '#platform/context'
import { forbidden, invalid, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { findWorkflows } from '../files/find-workflows.ts'
import { listOff } from '../files/off.ts'
import { prepareRun } from '../start/prepare-runs.ts'

export interface Dispatch {
  readonly file: string
  readonly ref: string
  readonly inputs: Readonly<Record<string, unknown>>
}

const NAME_MAX = 255

/** The number of the run. */
export async function dispatch(
  ctx: Context,
  repo: CanWrite<'actions'>,
  actor: SignedIn,
  { file, ref: wanted, inputs: given }: Dispatch,
): Promise<number> {
  const revision = await resolveRevision(ctx, repo.storage_id, wanted)
  if (revision === undefined) throw missing(`ref "${wanted.slice(0, NAME_MAX)}" doesn't exist`)
  const found = (await findWorkflows(ctx, repo, revision.oid)).find((it) => it.file === file)
  if ((await listOff(ctx.db, repo.id)).has(file)) throw forbidden('workflow is disabled')
  if (found === undefined) throw missing(`workflow "${file.slice(0, NAME_MAX)}" doesn't exist`)
  const trigger = found.read?.triggers.find(({ event }) => event === 'workflow_dispatch')
  if (trigger === undefined) throw invalid(`workflow "${file}" has no workflow_dispatch event trigger`)
  const inputs = readInputs(trigger.inputs ?? {}, given)
  const ref = revision.ref ?? wanted
  const payload = {
    inputs,
    ref,
    workflow: found.path,
    repository: presentBare(repo, ctx),
    sender: await presentSender(ctx, actor.id),
  }
  const happening = { event: 'workflow_dispatch', type: null }
  const cause = { repo, actorId: actor.id, ref, sha: revision.oid, payload, happening, inputs }
  const message = (await findCommit(ctx, repo.storage_id, revision.oid))?.message ?? ''
  const prepared = await prepareRun(ctx, cause, found, message)
  if (!('plan' in prepared)) throw invalid(prepared.problem)
  return (await transact(ctx, (ctx) => startRun(ctx, prepared.facts, prepared.plan))).id
}

function missing(message: string): Problem {
  return new Problem('not_found', message)
}

/** Compat: what a workflow does not ask for is not handed on; what is not given is as the workflow says. */
function readInputs(
  declared: Readonly<Record<string, Input>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(declared).map(([name, input]) => [
      name,
      inputOf(name, input, Object.hasOwn(given, name) ? given[name] : undefined),
    ]),
  )
}

function inputOf(name: string, input: Input, given: unknown): unknown {
  const value = given ?? input.default
  if (value === null || value === undefined || value === '') {
    if (input.required) throw invalid(`input "${name}" is required`)
    return input.type === 'boolean' ? false : ''
  }
  if (input.type === 'boolean') return readBoolean(name, value)
  const text = String(value)
  if (input.type === 'number' && !Number.isFinite(Number(text)))
    throw invalid(`input "${name}" is not a number`)
  if (input.type === 'choice' && input.options.length > 0 && !input.options.includes(text))
    throw invalid(`input "${name}" is none of its options`)
  return input.type === 'number' ? Number(text) : text
}

function readBoolean(name: string, value: unknown): boolean {
  const text = String(value)
  if (text !== 'true' && text !== 'false') throw invalid(`input "${name}" is not a boolean`)
  return text === 'true'
}
