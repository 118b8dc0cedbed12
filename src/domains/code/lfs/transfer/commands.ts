/** What each command of `git-lfs-transfer` does: the same as the request over HTTP. */
import { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import { readNamed } from '#platform/lost-object'
import { invalid, notFound, Problem, type ProblemKind } from '#platform/problem'
import {
  type LfsBearer,
  type LfsPath,
  openToDownload,
  openToUpload,
  type Writable,
  writing,
} from '../access/open-lfs.ts'
import type { Operation } from '../access/ssh-bearer.ts'
import { createLock, readLocks, removeLock } from '../locks/locks.ts'
import { presentLock, readNumber } from '../locks/routes.ts'
import type { Lock } from '../locks/store.ts'
import { type Decision, decideDownloads, decideUploads, readBatch } from '../objects/batch.ts'
import { renewLinked } from '../objects/link.ts'
import { findLinked, findLinkedOne, findOwnerOf } from '../objects/store.ts'
import { lfsKey, takeObject } from '../objects/take.ts'
import { isOid, type Pointer, pointerOf } from '../wire.ts'
import type { Message, MessageReader, Reply } from './messages.ts'

/** One command, with the rights that its caller has now. */
export interface Visit {
  readonly ctx: Context
  readonly bearer: LfsBearer | null
  readonly path: LfsPath
  readonly operation: Operation
  readonly message: Message
  readonly reader: Pick<MessageReader, 'lines' | 'data'>
}

interface Command {
  /** As over HTTP, for the audit log; absent if it changes nothing. */
  readonly operationId?: string
  readonly operations: readonly Operation[]
  readonly run: (visit: Visit) => Promise<Reply>
}

const OK: Reply = { status: 200 }

export const COMMANDS: Readonly<Record<string, Command>> = {
  version: {
    operations: ['download', 'upload'],
    run: async ({ message }) => {
      if (message.subject !== '1') throw new Problem('malformed', 'only version 1 is supported')
      return OK
    },
  },
  batch: { operationId: 'lfsBatch', operations: ['download', 'upload'], run: batch },
  'get-object': { operations: ['download'], run: getObject },
  'put-object': { operationId: 'lfsUpload', operations: ['upload'], run: putObject },
  'verify-object': { operationId: 'lfsVerify', operations: ['upload'], run: verifyObject },
  lock: { operationId: 'lfsCreateLock', operations: ['upload'], run: lock },
  'list-lock': { operations: ['download', 'upload'], run: listLocks },
  unlock: { operationId: 'lfsUnlock', operations: ['upload'], run: unlock },
}

async function batch({ ctx, bearer, path, operation, message, reader }: Visit): Promise<Reply> {
  const lines = message.hasMore ? await reader.lines() : []
  const request = readBatch({
    operation,
    objects: lines.map((line) => {
      const [oid, size] = line.split(' ', 2)
      return { oid, size: sizeOf(size) }
    }),
    ...(message.args.has('hash-algo') && { hash_algo: message.args.get('hash-algo') }),
  })
  const decisions =
    operation === 'download'
      ? await decideDownloads(ctx, await openToDownload(ctx, path, bearer), request)
      : await upload({ ctx, bearer, path }, (ctx, opened) => decideUploads(ctx, opened, request))
  return {
    status: 200,
    args: { 'hash-algo': 'sha256' },
    lines: decisions.map((it) => presented(it, operation)),
  }
}

/** The protocol has no errors of single objects: a missing one has nothing to download, any other fails the batch. */
function presented(decision: Decision, operation: Operation): string {
  if (!('error' in decision)) return `${decision.pointer.oid} ${decision.pointer.size} ${decision.action}`
  const { named, error } = decision
  if (operation === 'download' && isOid(named.oid)) return `${named.oid} ${named.size} noop`
  const kind: ProblemKind = error.code === 413 ? 'too_large' : 'invalid'
  throw new Problem(kind, isOid(named.oid) ? `${named.oid}: ${error.message}` : error.message)
}

async function getObject({ ctx, bearer, path, message }: Visit): Promise<Reply> {
  const { repo } = await openToDownload(ctx, path, bearer)
  const { subject: oid } = message
  const object = isOid(oid) ? await findLinkedOne(ctx.db, repo.storage_id, oid) : undefined
  if (object === undefined) throw notFound('object', oid)
  const { bytes: size, key } = object
  if (size === 0) return { status: 200, args: { size }, data: Readable.from([]) }
  const findOwner = () => findOwnerOf(ctx.db, object, oid)
  const { body } = await readNamed(ctx, lfsKey(key), findOwner, { signal: ctx.signal })
  ctx.lfsBytes.add(size, { direction: 'download' })
  return { status: 200, args: { size }, data: body }
}

async function putObject({ ctx, bearer, path, message, reader }: Visit): Promise<Reply> {
  const pointer = pointerIn(message)
  if (!message.hasMore) throw new Problem('malformed', 'protocol error: object is missing')
  const data = Readable.from(reader.data(), { objectMode: false })
  await upload({ ctx, bearer, path }, (ctx, opened) => takeObject(ctx, opened, pointer, data))
  return OK
}

async function verifyObject({ ctx, bearer, path, message }: Visit): Promise<Reply> {
  const pointer = pointerIn(message)
  return upload({ ctx, bearer, path }, async (ctx, { repo }) => {
    const [object] = await renewLinked(ctx, repo, await findLinked(ctx.db, repo.storage_id, [pointer.oid]))
    if (object === undefined) throw notFound('object', pointer.oid)
    if (object.bytes !== pointer.size) throw invalid(`object is not ${pointer.size} bytes long`)
    return OK
  })
}

async function lock({ ctx, bearer, path, message }: Visit): Promise<Reply> {
  return upload({ ctx, bearer, path }, async (ctx, opened) => {
    const { lock, isNew } = await createLock(ctx, opened, message.args.get('path'))
    const { id, path, locked_at, owner } = presentLock(lock)
    return {
      status: isNew ? 201 : 409,
      args: { id, path, 'locked-at': locked_at, ownername: owner.name },
      ...(!isNew && { lines: ['already created lock'] }),
    }
  })
}

async function listLocks({ ctx, bearer, path, operation, message }: Visit): Promise<Reply> {
  const { args } = message
  const isUpload = operation === 'upload'
  const opened = await (isUpload ? openToUpload : openToDownload)(ctx, path, bearer)
  const id = args.get('id')
  const filter = {
    path: args.get('path') || undefined,
    id: id ? readNumber(id) : undefined,
    after: readNumber(args.get('cursor')),
  }
  const { locks, next_cursor } = await readLocks(ctx, opened, filter, readNumber(args.get('limit')))
  const who = ({ owner_id }: Lock) => (owner_id === opened.person?.id ? 'ours' : 'theirs')
  return {
    status: 200,
    args: next_cursor === undefined ? {} : { 'next-cursor': next_cursor },
    lines: locks.flatMap((lock) => {
      const { id, path, locked_at, owner } = presentLock(lock)
      const lines = [`lock ${id}`, `path ${id} ${path}`, `locked-at ${id} ${locked_at}`]
      return [...lines, `ownername ${id} ${owner.name}`, ...(isUpload ? [`owner ${id} ${who(lock)}`] : [])]
    }),
  }
}

async function unlock({ ctx, bearer, path, message }: Visit): Promise<Reply> {
  const id = Number(/^\d{1,15}$/.exec(message.subject)?.[0])
  if (Number.isNaN(id)) throw notFound('lock', message.subject)
  return upload({ ctx, bearer, path }, async (ctx, opened) => {
    const lock = await removeLock(ctx, opened, id, message.args.get('force') === 'true')
    const { path, locked_at, owner } = presentLock(lock)
    return { status: 200, args: { id, path, 'locked-at': locked_at, ownername: owner.name } }
  })
}

/** Transactions of `act` check again that the caller may upload. */
async function upload<T>(
  { ctx, bearer, path }: Pick<Visit, 'ctx' | 'bearer' | 'path'>,
  act: (ctx: Context, opened: Writable) => Promise<T>,
): Promise<T> {
  const mine = writing(ctx, path, bearer)
  return act(mine, await openToUpload(mine, path, bearer))
}

function pointerIn({ subject: oid, args }: Message): Pointer {
  const pointer = pointerOf({ oid, size: sizeOf(args.get('size')) })
  if (pointer === undefined) throw invalid('invalid oid or size')
  return pointer
}

function sizeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : undefined
}
