/** Fetches branches and tags from a remote; refs are updated as by a push. */

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { gitText } from '../command/run.ts'
import { findPushedTypes } from '../push/pushed-types.ts'
import { HEADS, TAGS } from '../refs/names.ts'
import type { RefPolicy } from '../refs/policy.ts'
import { listRefs } from '../refs/read.ts'
import type { RefUpdate } from '../refs/update.ts'
import { zeroOid } from '../storage/storage.ts'
import type { StorageId } from '../tables.ts'
import { openScratch, type Scratch } from '../write/scratch.ts'
import { FETCH_FLAGS, FETCH_SETTINGS, publishFetched } from './publish-fetched.ts'
import { environmentFor, explainRemote, type Remote } from './remote.ts'

export interface FetchLimits {
  readonly timeoutMs: number
  readonly bytesMax: number
}

export interface Fetched {
  readonly updates: readonly RefUpdate[]
  readonly bytes: number
}

/** Refs beside branches and tags, as git patterns. Only those that point to commits are taken. */
export interface FurtherRefs {
  readonly patterns: readonly string[]
  /** The name here of such a ref; undefined leaves it out. */
  readonly rename?: (name: string) => string | undefined
}

const PREFIXES = [HEADS, TAGS]
const REFSPECS = PREFIXES.map((prefix) => `+${prefix}*:${prefix}*`)
const WATCH_MS = 1_000
const TOO_LARGE = 'Migration failed: remote repository is too large'
const NOT_SMART = 'Migration failed: dumb HTTP protocol is not supported'
const FETCH = { name: 'fetch', flags: FETCH_FLAGS, settings: FETCH_SETTINGS }

/**
 * Refs deleted at the remote are deleted here, too. Commits nothing when nothing differs.
 */
export async function fetchFrom(
  ctx: Context,
  storageId: StorageId,
  remote: Remote,
  limits: FetchLimits,
  policy: RefPolicy,
  also: FurtherRefs = { patterns: [] },
): Promise<Fetched> {
  await using scratch = await openScratch(ctx, storageId)
  try {
    await download(ctx, scratch, remote, limits, also.patterns)
  } catch (error) {
    throw explainRemote(error)
  }
  const updates = await findUpdates(ctx, scratch, also.rename)
  if (updates.length === 0) return { updates, bytes: 0 }
  return { updates, bytes: await publishFetched(ctx, scratch, updates, policy) }
}

async function download(
  ctx: Context,
  scratch: Scratch,
  remote: Remote,
  limits: FetchLimits,
  also: readonly string[],
): Promise<void> {
  const folder = join(scratch.path, 'objects/pack')
  const tooLarge = new AbortController()
  const look = async () => {
    if ((await bytesIn(folder)) > limits.bytesMax) tooLarge.abort(new Problem('invalid', TOO_LARGE))
  }
  const environment = await environmentFor(ctx, remote)
  const watching = setInterval(look, WATCH_MS)
  const bounded = { ...ctx, signal: AbortSignal.any([ctx.signal, tooLarge.signal]) }
  const options = { path: scratch.path, timeoutMs: limits.timeoutMs, environment }
  try {
    const refspecs = [...REFSPECS, ...also.map((pattern) => `+${pattern}:${pattern}`)]
    await gitText(bounded, { ...FETCH, words: [remote.url, ...refspecs] }, options)
    await look()
    await assertPacked(scratch)
  } finally {
    clearInterval(watching)
    tooLarge.signal.throwIfAborted()
  }
}

/** A dumb HTTP server delivers loose objects, which would not be published. */
async function assertPacked({ path }: Scratch): Promise<void> {
  const names = await readdir(join(path, 'objects'))
  if (names.some((name) => /^[0-9a-f]{2}$/.test(name))) throw invalid(NOT_SMART)
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)))
  return sizes.reduce((sum, it) => sum + (it?.size ?? 0), 0)
}

/** Compares the refs that git wrote into the scratch repository with those in PostgreSQL. */
async function findUpdates(
  ctx: Context,
  scratch: Scratch,
  rename: FurtherRefs['rename'],
): Promise<RefUpdate[]> {
  const zero = zeroOid(scratch.storage.object_format)
  const text = await gitText(
    ctx,
    { name: 'for-each-ref', flags: ['--format=%(objectname) %(refname)'] },
    { path: scratch.path },
  )
  const lines = text.split('\n').filter((line) => line !== '')
  const nameOf = (name: string) =>
    rename === undefined || PREFIXES.some((prefix) => name.startsWith(prefix)) ? name : rename(name)
  const theirs = new Map(
    lines.flatMap((line) => {
      const name = nameOf(line.slice(zero.length + 1))
      return name === undefined ? [] : [[name, line.slice(0, zero.length)] as const]
    }),
  )
  const ours = new Map(
    (await listRefs(ctx.db, scratch.storage.id, { prefixes: PREFIXES })).map((ref) => [ref.name, ref.oid]),
  )
  const changed = [...theirs].filter(([name, oid]) => ours.get(name) !== oid)
  const objects = await findPushedTypes(
    ctx,
    scratch.path,
    changed.map(([, oid]) => oid),
  )
  const isTaken = (name: string, oid: string) =>
    PREFIXES.some((prefix) => name.startsWith(prefix)) || objects.get(oid)?.kind === 'commit'
  const taken = changed.filter(([name, oid]) => isTaken(name, oid))
  const set = taken.map(([name, oid]) => ({
    name,
    old: ours.get(name) ?? zero,
    new: oid,
    peeled: objects.get(oid)?.peeled ?? null,
  }))
  const gone = [...ours].filter(([name]) => !theirs.has(name))
  return [...set, ...gone.map(([name, old]) => ({ name, old, new: zero, peeled: null }))]
}
