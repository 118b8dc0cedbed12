/** Routes of locks: list, verify, create, unlock. */
import { Type } from 'typebox'
import { invalid, notFound } from '#platform/problem'
import { type RawRoute, rawRoute } from '#platform/rest'
import { openToDownload, openToUpload, pathOf } from '../access/open-lfs.ts'
import { inLfs, lfsFacts, ROOT } from '../access/route-facts.ts'
import { json, readJson } from '../wire.ts'
import { createLock, readLocks, removeLock } from './locks.ts'
import type { Lock } from './store.ts'

const LOCKS = `${ROOT}/locks`
const Text = Type.Optional(Type.String())

const list = rawRoute({
  ...lfsFacts,
  method: 'GET',
  path: LOCKS,
  operationId: 'lfsListLocks',
  params: inLfs({}),
  query: Type.Object({ path: Text, id: Text, cursor: Text, limit: Text, refspec: Text }),
  open: ({ ctx, params, bearer }) => openToDownload(ctx, pathOf(params), bearer),
  handle: async ({ ctx, query: { path, id, cursor, limit }, opened }) => {
    const filter = { path: path || undefined, id: id ? readNumber(id) : undefined, after: readNumber(cursor) }
    const { locks, ...next } = await readLocks(ctx, opened, filter, readNumber(limit))
    return json(200, { locks: locks.map(presentLock), ...next })
  },
})

/** Clients ask before a push which of its files others have locked. */
const verify = rawRoute({
  ...lfsFacts,
  method: 'POST',
  path: `${LOCKS}/verify`,
  operationId: 'lfsVerifyLocks',
  params: inLfs({}),
  open: ({ ctx, params, bearer }) => openToUpload(ctx, pathOf(params), bearer),
  handle: async ({ ctx, body, opened }) => {
    const { cursor, limit } = readJson(body)
    const page = await readLocks(ctx, opened, { after: readNumber(cursor) }, readNumber(limit))
    const { locks, ...next } = page
    const isOurs = ({ owner_id }: Lock) => owner_id === opened.person?.id
    return json(200, {
      ours: locks.filter(isOurs).map(presentLock),
      theirs: locks.filter((it) => !isOurs(it)).map(presentLock),
      ...next,
    })
  },
})

const create = rawRoute({
  ...lfsFacts,
  method: 'POST',
  path: LOCKS,
  operationId: 'lfsCreateLock',
  params: inLfs({}),
  open: ({ ctx, params, bearer }) => openToUpload(ctx, pathOf(params), bearer),
  handle: async ({ ctx, body, opened }) => {
    const { lock, isNew } = await createLock(ctx, opened, readJson(body).path)
    if (isNew) return json(201, { lock: presentLock(lock) })
    return json(409, { lock: presentLock(lock), message: 'already created lock' })
  },
})

const unlock = rawRoute({
  ...lfsFacts,
  method: 'POST',
  path: `${LOCKS}/:lock/unlock`,
  operationId: 'lfsUnlock',
  params: inLfs({ lock: Type.String() }),
  open: ({ ctx, params, bearer }) => openToUpload(ctx, pathOf(params), bearer),
  handle: async ({ ctx, params, body, opened }) => {
    const id = Number(/^\d{1,15}$/.exec(params.lock)?.[0])
    if (Number.isNaN(id)) throw notFound('lock', params.lock)
    const lock = await removeLock(ctx, opened, id, readJson(body).force === true)
    return json(200, { lock: presentLock(lock) })
  },
})

export const lockRoutes: readonly RawRoute[] = [list, verify, create, unlock]

export function presentLock({ id, path, locked_at, login }: Lock) {
  const time = locked_at.toISOString().replace(/\.\d+Z$/, 'Z')
  return { id: String(id), path, locked_at: time, owner: { name: login } }
}

/** Numbers of clients come as numbers or as text; 0 if there is none. */
export function readNumber(value: unknown): number {
  if (value === undefined || value === null || value === '') return 0
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0)
    throw invalid('invalid cursor, id or limit')
  return number
}
