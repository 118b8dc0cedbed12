/** Commits several file changes to a branch with one `git fast-import`, which writes the pack itself. */

import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { gitText } from '../command/run.ts'
import { readHeaders } from '../read/objects/objects.ts'
import { formatPerson, type Person } from '../read/objects/person.ts'
import { retryAfterHeal, SAFE_ENV } from '../read/with-repository.ts'
import type { RefPolicy } from '../refs/policy.ts'
import { findRef } from '../refs/read.ts'
import type { StorageId } from '../tables.ts'
import { cleanMessage, type Sign, writeCommit } from './compose.ts'
import { loadDirectories } from './directories.ts'
import { checkChanges, type FileChange, type Plan, pathsOf, planChanges } from './file-changes.ts'
import { findPlace, moveBranch, type Place, type Target } from './place.ts'
import { type MadeObject, openScratch, publishMade, publishNew, type Scratch } from './scratch.ts'
import type { RefMove } from './types.ts'

export interface FilesOrder {
  readonly target: Target
  readonly changes: readonly FileChange[]
  readonly message: string
  readonly author: Person
  readonly committer: Person
  /** Allows a commit without changes. */
  readonly mayBeEmpty?: boolean
  readonly sign?: Sign | undefined
}

const IMPORT_TIMEOUT_MS = 300_000
/** With three writers that never pause each one loses often: eight tries were measured to be too few. */
const TRIES_MAX = 24
const PAUSE_MS = 20

/**
 * Creates the first branch in an empty repository. When another commit lands on the branch meanwhile, the changes are
 * checked against the new files and committed again, so that no commit is lost.
 */
export async function commitFiles(
  ctx: Context,
  storageId: StorageId,
  order: FilesOrder,
  policy: RefPolicy,
): Promise<RefMove> {
  checkChanges(order.changes, order.mayBeEmpty ?? false)
  const message = cleanMessage(order.message)
  for (let tries = 1; ; tries++) {
    const place = await findPlace(ctx, storageId, order.target)
    const made = await retryAfterHeal(ctx, storageId, () => make(ctx, place, { ...order, message }))
    try {
      return await moveBranch(ctx, place, made, policy)
    } catch (error) {
      const isNew = order.target.newBranch !== undefined
      if (isNew || tries === TRIES_MAX || !(await hasMoved(ctx, place))) throw error
    }
    await sleep(PAUSE_MS * tries * Math.random())
  }
}

/** Whether the branch moved meanwhile; other refusals are final. */
async function hasMoved(ctx: Context, { storageId, ref, start }: Place): Promise<boolean> {
  return ((await findRef(ctx.db, storageId, ref))?.oid ?? null) !== start
}

async function make(ctx: Context, place: Place, order: FilesOrder): Promise<MadeObject> {
  await using scratch = await openScratch(ctx, place.storageId)
  const directories = await loadDirectories(ctx, scratch, place.start, pathsOf(order.changes))
  const plan = planChanges(directories, order.changes)
  const oid = await importCommit(ctx, scratch, place.start, order, plan)
  if (order.sign === undefined) return await publishMade(ctx, scratch, oid)
  return await publishSigned(ctx, scratch, place.start, order, oid)
}

/**
 * Only recent versions of git accept a signature in `fast-import`: so the commit is written again with its signature, and
 * the unsigned one is dropped.
 */
async function publishSigned(
  ctx: Context,
  scratch: Scratch,
  start: string | null,
  { author, committer, message, sign }: FilesOrder,
  unsigned: string,
): Promise<MadeObject> {
  const [tree] = await readHeaders(ctx, scratch.path, [`${unsigned}^{tree}`])
  const parents = start === null ? [] : [start]
  const made = { tree: must(tree, 'git has written the tree').oid, parents, author, committer, message, sign }
  return await publishNew(ctx, scratch, await writeCommit(scratch, made), parents)
}

type Described = Pick<FilesOrder, 'author' | 'committer' | 'message'>

/** The answer to `get-mark` is git's only output. */
export async function importCommit(
  ctx: Context,
  scratch: Scratch,
  start: string | null,
  order: Described,
  plan: Plan,
): Promise<string> {
  const command = {
    name: 'fast-import',
    flags: ['--quiet', '--done', '--date-format=raw-permissive'] as const,
    // Always a pack, even for the single object of a commit whose tree exists: only packs are published.
    settings: { 'fastimport.unpackLimit': '0' },
  }
  const input = Readable.from(tell(start, order, plan))
  const options = { path: scratch.path, input, environment: SAFE_ENV, timeoutMs: IMPORT_TIMEOUT_MS }
  return (await gitText(ctx, command, options)).trim()
}

function* tell(start: string | null, order: Described, plan: Plan): Generator<Uint8Array> {
  const text = (line: string) => Buffer.from(`${line}\n`)
  // The ref is deleted with the scratch repository; its name cannot clash with a user's ref.
  yield text(`commit refs/made/${randomUUID()}`)
  yield text('mark :1')
  yield text(`author ${formatPerson(order.author)}`)
  yield text(`committer ${formatPerson(order.committer)}`)
  yield* data(Buffer.from(order.message))
  if (start !== null) yield text(`from ${start}`)
  for (const path of plan.deletions) yield text(`D ${quote(path)}`)
  for (const { path, mode, content } of plan.writings) {
    const isThere = typeof content === 'string'
    yield text(`M ${mode} ${isThere ? content : 'inline'} ${quote(path)}`)
    if (!isThere) yield* data(content)
  }
  yield text('get-mark :1')
  yield text('done')
}

function* data(content: Uint8Array): Generator<Uint8Array> {
  yield Buffer.from(`data ${content.byteLength}\n`)
  // An empty chunk would end the stream.
  if (content.byteLength > 0) yield content
  yield Buffer.from('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a line
const UNSAFE = /[\0-\x1f\x7f"\\]/g

/** Quoted like C strings: characters that could end the line or the quotes become octal escapes. */
function quote(path: string): string {
  return `"${path.replaceAll(UNSAFE, (it) => `\\${it.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
}
