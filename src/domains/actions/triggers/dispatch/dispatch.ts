/** Starts a workflow by `workflow_dispatch`, with the inputs it declares. */

import type { Input } from '#domains/actions/workflows'
import type { CanWrite } from '#domains/code/repositories'
import { presentBare, presentSender } from '#domains/code/repositories'
import { HEADS, resolveRevision, TAGS } from '#git'
import { type Context, transact } from '#platform/context'
import { forbidden, invalid, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { findWorkflows } from '../files/find-workflows.ts'
import { listOff } from '../files/off.ts'
import { orderOf } from '../start/order-runs.ts'
import { prepareRun, startPrepared } from '../start/start-ordered.ts'

export interface Dispatch {
  readonly file: string
  readonly ref: string
  readonly inputs: Readonly<Record<string, unknown>>
}

const NAME_MAX = 255

/** Returns the id of the run. */
export async function dispatch(
  ctx: Context,
  repo: CanWrite<'actions'>,
  actor: SignedIn,
  { file, ref: wanted, inputs: given }: Dispatch,
): Promise<number> {
  if (repo.is_quarantined) throw forbidden('repository is quarantined')
  const revision = await resolveRevision(ctx, repo.storage_id, wanted)
  // Only branches and tags: heads of pull requests and bare commits may be an outsider's, and would run with all
  // secrets.
  const ref = revision?.ref ?? ''
  if (revision === undefined || !(ref.startsWith(HEADS) || ref.startsWith(TAGS)))
    throw missing(`ref "${wanted.slice(0, NAME_MAX)}" doesn't exist`)
  const found = (await findWorkflows(ctx, repo, revision.oid)).find((it) => it.file === file)
  if ((await listOff(ctx.db, repo.id)).has(file)) throw forbidden('workflow is disabled')
  if (found === undefined) throw missing(`workflow "${file.slice(0, NAME_MAX)}" doesn't exist`)
  const trigger = found.read?.triggers.find(({ event }) => event === 'workflow_dispatch')
  if (trigger === undefined) throw invalid(`workflow "${file}" has no workflow_dispatch event trigger`)
  const inputs = readInputs(trigger.inputs ?? {}, given)
  const payload = {
    inputs,
    ref,
    workflow: found.path,
    repository: presentBare(repo, ctx),
    sender: await presentSender(ctx, actor.id),
  }
  const happening = { event: 'workflow_dispatch', type: null }
  const cause = { repo, actorId: actor.id, ref, sha: revision.oid, payload, happening, inputs }
  const prepared = await prepareRun(ctx, repo, orderOf(cause, file), found)
  if ('problem' in prepared) throw invalid(prepared.problem ?? 'workflow cannot run')
  return (await transact(ctx, (ctx) => startPrepared(ctx, prepared))).id
}

function missing(message: string): Problem {
  return new Problem('not_found', message)
}

/** Compat: inputs that the workflow does not declare are dropped; missing inputs get their default. */
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
