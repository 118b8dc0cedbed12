/** Commits a patch in `git diff` format to a branch: applied to an index, never to a work tree. */

import { join } from 'node:path'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import type { GitCommand } from '../command/command.ts'
import { GitFailure, gitText } from '../command/run.ts'
import type { Person } from '../read/objects/person.ts'
import { retryAfterHeal, SAFE_ENV } from '../read/with-repository.ts'
import type { RefPolicy } from '../refs/policy.ts'
import type { StorageId } from '../tables.ts'
import { type Sign, writeCommit } from './compose.ts'
import { isWritablePath } from './paths.ts'
import { getPlace, moveBranch, type Target } from './place.ts'
import { type MadeObject, openScratch, publishNew, type Scratch } from './scratch.ts'
import type { RefMove } from './types.ts'

export interface PatchOrder {
  readonly target: Target
  readonly patch: string
  readonly message: string
  readonly author: Person
  readonly committer: Person
  readonly sign?: Sign | undefined
}

const TIMEOUT_MS = 60_000
/** No path of the patch may be taken for `.git` on any operating system. */
const SETTINGS = { 'core.protectHFS': 'true', 'core.protectNTFS': 'true' }

export async function applyPatch(
  ctx: Context,
  storageId: StorageId,
  order: PatchOrder,
  policy: RefPolicy,
): Promise<RefMove> {
  const place = await getPlace(ctx, storageId, order.target)
  const made = await retryAfterHeal(ctx, storageId, () => make(ctx, storageId, place.start, order))
  return moveBranch(ctx, place, made, policy)
}

async function make(
  ctx: Context,
  storageId: StorageId,
  start: string,
  order: PatchOrder,
): Promise<MadeObject> {
  await using scratch = await openScratch(ctx, storageId)
  const run = (command: GitCommand, input = '') => runIn(ctx, scratch, command, input)
  await run({ name: 'read-tree', words: [start] })
  await run({ name: 'apply', flags: ['--cached', '--whitespace=nowarn'] }, order.patch).catch(refuse)
  const added = await run({
    name: 'diff-index',
    flags: ['--cached', '--name-only', '--diff-filter=A', '-z'],
    words: [start],
  })
  const strange = added.split('\0').find((path) => path !== '' && !isWritablePath(path))
  if (strange !== undefined) throw invalid('invalid path', { path: strange })
  const tree = (await run({ name: 'write-tree' })).trim()
  const { message, author, committer, sign } = order
  const oid = await writeCommit(scratch, { tree, parents: [start], message, author, committer, sign })
  return await publishNew(ctx, scratch, oid, [start])
}

function runIn(ctx: Context, scratch: Scratch, command: GitCommand, input: string): Promise<string> {
  const environment = { ...SAFE_ENV, GIT_INDEX_FILE: join(scratch.path, 'index') }
  const options = { path: scratch.path, input, environment, timeoutMs: TIMEOUT_MS }
  return gitText(ctx, { ...command, settings: SETTINGS }, options)
}

/** Git exits with 1 or 128 when a patch does not apply or is malformed. */
function refuse(error: unknown): never {
  if (error instanceof GitFailure && error.code !== null) throw invalid('patch does not apply')
  throw error
}
