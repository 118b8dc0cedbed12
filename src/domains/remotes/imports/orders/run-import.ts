/**
 * Runs an import. Refs, packs, record and counters are created in one transaction at the very end: an import is
 * complete or does not exist. What a dead worker left behind is unreferenced and swept.
 */

import { countImported } from '#domains/code/lfs'
import { type ImportedRelease, insertImportedReleases } from '#domains/code/releases'
import { countWiki, insertRecord, nextAfter, refsMoved } from '#domains/code/repositories'
import { type Account, actorOf, findAccountById, refusalOf } from '#domains/people/users'
import { numberOfHead } from '#domains/review/pulls'
import {
  adoptStorage,
  allowing,
  createStorage,
  HEADS,
  type ObjectFormat,
  type Offer,
  type RefPolicy,
  type StorageId,
} from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, invalid, Problem } from '#platform/problem'
import { addJobs } from '#platform/queue'
import { asSignedIn, type SignedIn } from '#platform/rest'
import { insertHost } from '../authors/store.ts'
import { ATTEMPTS_MAX, FAULTS_MAX, IMPORT_JOB, WAIT_MAX_MS, WATCH_MS } from '../limits.ts'
import { insertGathered } from '../records/insert.ts'
import { findNumbers, type Numbers } from '../records/numbers.ts'
import { PutOff } from '../sources/put-off.ts'
import type { Failure, ImportRow } from '../tables.ts'
import type { Origin } from './origin.ts'
import { remoteOrigin } from './remote-origin.ts'
import { assertMayImport } from './start-import.ts'
import { claimImport, failImport, finishImport, isStillOurs, noteStorage, postponeImport } from './store.ts'

const DEFAULT_HEAD = 'refs/heads/main'
/** Compat: a mirror has neither pull requests nor actions. */
const MIRROR_UNITS = ['code', 'issues', 'releases', 'wiki', 'projects', 'packages']

export async function runImport(ctx: Context, payload: unknown): Promise<void> {
  const { import_id } = payload as { import_id: number }
  const order = await transact(ctx, (ctx) => claimImport(ctx.db, import_id))
  if (order === undefined) return
  await using watch = watchOver(ctx, order)
  try {
    const origin = remoteOrigin(ctx, order)
    await importRepository({ ...ctx, signal: AbortSignal.any([ctx.signal, watch.signal]) }, order, origin)
  } catch (error) {
    if (watch.signal.aborted) return
    if (error instanceof PutOff && mayWait(ctx, order, error)) return putOff(ctx, order, error)
    const cause = error instanceof PutOff ? (error.fault ?? invalid(WAITED_TOO_LONG)) : error
    // Only a failure of the source is final; a failure of this machine may not recur on another.
    if (!(cause instanceof Problem) && order.attempts - order.postponed < ATTEMPTS_MAX) throw error
    ctx.log.warn({ err: cause, 'import.id': order.id }, 'import failed')
    await transact(ctx, (ctx) => failImport(ctx.db, order, failureOf(cause), ctx.now()))
  }
}

const WAITED_TOO_LONG = 'Migration failed: the limits of the source allowed no end within 30 days'

function mayWait(ctx: Context, { faults, created_at }: ImportRow, { fault }: PutOff): boolean {
  if (fault !== undefined && faults >= FAULTS_MAX) return false
  return ctx.now().getTime() - created_at.getTime() < WAIT_MAX_MS
}

/** A later job goes on; until then no worker is busy with it. */
async function putOff(ctx: Context, order: ImportRow, { waitMs, fault }: PutOff): Promise<void> {
  ctx.log.info({ err: fault, 'import.id': order.id, wait_ms: waitMs }, 'import waits for its source')
  await transact(ctx, async (ctx) => {
    const resumesAt = new Date(ctx.now().getTime() + waitMs)
    if (!(await postponeImport(ctx.db, order, { resumesAt, isFault: fault !== undefined }))) return
    const job = { kind: IMPORT_JOB, payload: { import_id: order.id }, attemptsMax: ATTEMPTS_MAX, waitMs }
    await addJobs(ctx, [job])
  })
}

/** Throws what is wrong with the source; nothing of the repository exists then. */
export async function importRepository(ctx: Context, order: ImportRow, origin: Origin): Promise<void> {
  const [owner, account] = await Promise.all([
    findAccountById(ctx.db, order.owner_id),
    findAccountById(ctx.db, order.actor_id),
  ])
  if (owner === undefined || account === undefined) throw new Problem('invalid', 'owner was deleted')
  // The requester may have lost these rights while the import waited.
  await transact(ctx, (ctx) => getMaker(ctx, order, owner))
  const offer = await origin.list(ctx)
  const head = offer.head?.startsWith(HEADS) ? offer.head : DEFAULT_HEAD
  const { withWiki, withReleases } = order.options
  // First, because it resumes where a dead worker stopped.
  await origin.gather(ctx)
  const { host } = origin.known
  if (host !== null) await transact(ctx, (ctx) => insertHost(ctx.db, host))
  const wikiStorageId = withWiki ? await origin.importWiki(ctx) : null
  const releases = withReleases ? await origin.importReleases(ctx, account) : []
  const storageId = await transact(ctx, async (ctx) => {
    const objectFormat = offer.objectFormat
    const id = await createStorage(ctx.db, { objectFormat, head, now: ctx.now(), isAdopted: false })
    await noteStorage(ctx.db, order, id)
    return id
  })
  const numbers = await findNumbers(ctx.db, order)
  const made = { order, origin, owner, account, storageId, wikiStorageId, releases, offer, head, numbers }
  const moved = await origin.fetch(ctx, storageId, importPolicy(made), numbers)
  if (moved === 0) await transact(ctx, (ctx) => write(ctx, made, new Map()))
}

interface Made {
  readonly numbers: Numbers
  readonly order: ImportRow
  readonly origin: Origin
  readonly owner: Account
  readonly account: Account
  readonly storageId: StorageId
  readonly wikiStorageId: StorageId | null
  readonly releases: readonly ImportedRelease[]
  readonly offer: Offer
  readonly head: string
}

function importPolicy(made: Made): RefPolicy {
  const { order, origin, storageId } = made
  const policy = committing(made)
  return {
    decide: async (ctx, updates, openObjects) => {
      const to = { storageId, earlier: order.storage_id }
      if (order.options.withLfs) await origin.importObjects(ctx, to, { updates, openObjects })
      return (await policy.decide?.(ctx, updates, openObjects)) ?? { refusals: new Map() }
    },
  }
}

function committing(made: Made): RefPolicy {
  return allowing(async (ctx, moved) => {
    const heads = new Map(
      moved.updates.flatMap(({ name, new: oid }) => {
        const number = numberOfHead(name)
        return number === undefined ? [] : [[number, oid] as const]
      }),
    )
    const repository_id = await write(ctx, made, heads)
    const updates = moved.updates.filter(({ name }) => numberOfHead(name) === undefined)
    const by = { repository_id, actor_id: made.account.id, deploy_key_id: null }
    await refsMoved(ctx, { ...moved, updates }, { cause: 'import', ...by })
  })
}

async function write(
  ctx: TxContext,
  { order, origin, owner, account, storageId, wikiStorageId, releases, offer, head, numbers }: Made,
  heads: ReadonlyMap<number, string>,
): Promise<number> {
  const { options } = order
  const now = ctx.now()
  const maker = await getMaker(ctx, order, owner)
  const isMirror = options.mirrorEveryS !== null
  const row = {
    owner_id: owner.id,
    storage_id: storageId,
    wiki_storage_id: wikiStorageId,
    name: options.name,
    name_key: order.name_key,
    description: options.description,
    is_private: options.isPrivate,
    original_url: options.url,
    archived_at: null,
    // Compat: a repository imported from an empty source has no default branch until the first push.
    default_branch: offer.refs.size === 0 ? '' : head.slice(HEADS.length),
    object_format: offer.objectFormat satisfies ObjectFormat,
    ...(isMirror
      ? {
          units: MIRROR_UNITS,
          is_mirror: true,
          mirror_interval_s: options.mirrorEveryS,
          mirror_updated_at: now,
          mirror_synced_at: now,
          mirror_next_at: nextAfter(now, options.mirrorEveryS ?? 0),
        }
      : {}),
    created_at: now,
    updated_at: now,
  }
  const repo = await insertRecord(ctx, maker, { owner, row })
  await adoptStorage(ctx.db, storageId)
  await countImported(ctx, repo)
  if (wikiStorageId !== null) {
    await adoptStorage(ctx.db, wikiStorageId)
    await countWiki(ctx, wikiStorageId)
  }
  if (releases.length > 0) await insertImportedReleases(ctx, repo.id, account.id, releases)
  await insertGathered(ctx, order, {
    repositoryId: repo.id,
    storageId,
    heads,
    known: origin.known,
    numbers,
  })
  if (isMirror)
    await ctx.db
      .insertInto('mirror')
      .values({
        repository_id: repo.id,
        url: options.url,
        credentials: order.credentials,
        has_lfs: options.withLfs ?? false,
        lfs_endpoint: options.lfsEndpoint ?? null,
      })
      .execute()
  await origin.complete?.({ ...ctx, actor: maker }, { id: repo.id, owner: owner.login, repo: repo.name })
  if (!(await finishImport(ctx.db, order, repo.id, now)))
    throw new Problem('conflict', 'migration was cancelled')
  return repo.id
}

/** Checks the requester again at the end: the account may be disabled, or have lost its rights on the owner. */
async function getMaker(ctx: TxContext, { actor_id }: ImportRow, owner: Account): Promise<SignedIn> {
  const account = await findAccountById(ctx.db, actor_id)
  if (account === undefined) throw forbidden('user was deleted')
  const refusal = refusalOf(account)
  if (refusal !== null) throw forbidden(refusal)
  const maker = actorOf(account, { publicOnly: false, via: 'process', tokenId: null })
  await assertMayImport(ctx, maker, owner)
  return asSignedIn({ ctx: { ...ctx, actor: maker } })
}

/** Aborts this worker if the import was cancelled or claimed by another worker. */
function watchOver(ctx: Context, order: ImportRow): AsyncDisposable & { signal: AbortSignal } {
  const given = new AbortController()
  const look = async () => {
    if (!(await isStillOurs(ctx.db, order))) given.abort()
  }
  const timer = setInterval(() => void look().catch(() => undefined), WATCH_MS)
  return {
    signal: given.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
    },
  }
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Problem))
    return { kind: 'unavailable', message: 'migration failed: internal error, please try again' }
  const kind = error.kind === 'conflict' || error.kind === 'forbidden' ? error.kind : 'invalid'
  return { kind, message: error.message }
}
