/**
 * Locks of files: its holder asks other users not to change the file. Compat: as at Gitea, the client of a pusher
 * asks which files are locked and refuses to push them; the forge refuses no push.
 */
import { may } from '#domains/people/access'
import { type Context, transact } from '#platform/context'
import { forbidden, invalid, notFound, Problem } from '#platform/problem'
import type { Readable, Writable } from '../access/open-lfs.ts'
import {
  countLocks,
  deleteLock,
  findLockOf,
  insertLock,
  type Lock,
  type LockFilter,
  listLocks,
  lockForDeletion,
} from './store.ts'

const PATH_MAX = 1_024
const LOCKS_MAX = 10_000
const LISTED_MAX = 100

export interface LockPage {
  readonly locks: readonly Lock[]
  readonly next_cursor?: string
}

export async function readLocks(
  ctx: Context,
  { repo }: Readable,
  filter: LockFilter,
  limit: number,
): Promise<LockPage> {
  const most = limit > 0 ? Math.min(limit, LISTED_MAX) : LISTED_MAX
  const found = await listLocks(ctx.db, repo.id, filter, most + 1)
  const locks = found.slice(0, most)
  const last = locks.at(-1)
  return found.length > most && last !== undefined ? { locks, next_cursor: String(last.id) } : { locks }
}

/** The new lock, or the one that is in its way. */
export async function createLock(
  ctx: Context,
  { repo, person }: Writable,
  given: unknown,
): Promise<{ readonly lock: Lock; readonly isNew: boolean }> {
  const path = readPath(given)
  if (person === null) throw forbidden('a deploy key holds no locks')
  return transact(ctx, async (ctx) => {
    if ((await countLocks(ctx.db, repo.id, LOCKS_MAX)) >= LOCKS_MAX)
      throw invalid(`a repository may have ${LOCKS_MAX} locks`, { LOCKS_MAX })
    const row = { repository_id: repo.id, path, owner_id: person.id, locked_at: ctx.now() }
    const added = await insertLock(ctx.db, row)
    if (added !== undefined) return { lock: { ...row, ...added, login: person.login }, isNew: true }
    const lock = await findLockOf(ctx.db, repo.id, path)
    if (lock === undefined)
      throw new Problem('unavailable', 'lock was deleted concurrently, please try again')
    return { lock, isNew: false }
  })
}

/** By its owner; with `force` also by administrators of the repository. */
export function removeLock(
  ctx: Context,
  { repo, person }: Writable,
  id: number,
  force: boolean,
): Promise<Lock> {
  return transact(ctx, async (ctx) => {
    const lock = await lockForDeletion(ctx.db, repo.id, id)
    if (lock === undefined) throw notFound('lock', id)
    const isOwn = person !== null && lock.owner_id === person.id
    if (!isOwn && !force) throw forbidden(`lock is held by ${lock.login}: force is required`)
    if (!isOwn && !may(repo.access, 'admin'))
      throw forbidden('only administrators of the repository may force an unlock')
    await deleteLock(ctx.db, id)
    return lock
  })
}

/** As git names a file: from the root of the work tree. */
export function readPath(path: unknown): string {
  const isPath =
    typeof path === 'string' &&
    path.length > 0 &&
    path.length <= PATH_MAX &&
    path.isWellFormed() &&
    !/\p{Cc}/u.test(path) &&
    path.split('/').every((it) => !['', '.', '..', '.git'].includes(it.toLowerCase()))
  if (!isPath) throw invalid('invalid path of a lock')
  return path
}
