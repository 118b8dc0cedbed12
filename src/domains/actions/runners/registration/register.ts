/**
 * Registration of a runner, once, with a registration token; and declaration of its version, labels and capabilities
 * at every start.
 */

import { randomUUID } from 'node:crypto'
import { digestOf } from '#domains/code/keys'
import { type Context, transact } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { countRunners, insertRunner, updateRunner } from '../record/store.ts'
import type { RunnerRow } from '../record/tables.ts'
import { findByToken, randomToken, TOKEN_LENGTH_MAX } from './tokens.ts'

const NAME_MAX = 255
const LABELS_MAX = 100
const CAPABILITIES_MAX = 50

export interface Introduction {
  readonly version: string
  readonly labels: readonly string[]
  readonly capabilities: readonly string[]
}

export interface Registration extends Introduction {
  readonly name: string
  readonly token: string
  readonly ephemeral: boolean
}

/** Returns the token of the runner too, of which only the digest is stored. */
export async function register(ctx: Context, it: Registration): Promise<RunnerRow & { token: string }> {
  const facts = checked(it)
  if (it.name === '' || it.name.length > NAME_MAX) throw invalid('name must have 1 to 255 characters')
  const token = randomToken()
  const row = await transact(ctx, async (ctx) => {
    const scope = it.token.length > TOKEN_LENGTH_MAX ? undefined : await findByToken(ctx.db, it.token)
    if (scope === undefined) throw new Problem('not_found', 'runner registration token not found')
    const max = ctx.config['runners.max']
    if ((await countRunners(ctx.db)) >= max) throw invalid('too many runners', { max })
    const now = ctx.now()
    return insertRunner(ctx.db, {
      ...facts,
      uuid: randomUUID(),
      token_digest: digestOf(token),
      name: it.name,
      owner_id: scope.owner_id,
      repository_id: scope.repository_id,
      is_ephemeral: it.ephemeral,
      // Null until the runner declares itself or fetches a job.
      online_at: null,
      active_at: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
  })
  return { ...row, token }
}

export async function declare(ctx: Context, runner: RunnerRow, it: Introduction): Promise<RunnerRow> {
  const facts = checked(it)
  return transact(ctx, async (ctx) => {
    const now = ctx.now()
    const row = await updateRunner(ctx.db, runner.id, { ...facts, online_at: now }, now)
    if (row === undefined) throw new Problem('unauthenticated', 'unregistered runner')
    return row
  })
}

/** A label may have a suffix that only the runner interprets, such as `ubuntu-latest:host`. */
function checked({ version, labels, capabilities }: Introduction) {
  const texts = [version, ...labels, ...capabilities]
  if (labels.length > LABELS_MAX) throw invalid('too many labels', { max: LABELS_MAX })
  if (capabilities.length > CAPABILITIES_MAX)
    throw invalid('too many capabilities', { max: CAPABILITIES_MAX })
  if (texts.some((text) => text.length > NAME_MAX || text.includes('\0') || text.includes('\n')))
    throw invalid('version, label or capability is not valid')
  const names = labels.map((label) => label.split(':', 1)[0] ?? '').filter((name) => name !== '')
  return { version, labels: [...new Set(names)], capabilities: [...capabilities] }
}
