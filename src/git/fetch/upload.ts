/** Serving fetches: refs from PostgreSQL, packs by `git upload-pack` on the hydrated cache. */
import { Readable, type Writable } from 'node:stream'
import type { Context } from '#platform/context'
import { aside } from '#platform/log'
import { Problem } from '#platform/problem'
import type { Lease } from '../cache/cache.ts'
import { FATAL, runInteractiveGit, type Streams } from '../command/interactive.ts'
import { GitFailure, type RunningGit, startGit } from '../command/run.ts'
import { answerLsRefs, capabilities } from '../protocol/advertise.ts'
import { type Pkt, PktReader } from '../protocol/pkt-line.ts'
import { lsRefsOf, REQUEST_LINES_MAX, type Request, readRequest } from '../protocol/request-v2.ts'
import { getStorage } from '../storage/storage.ts'
import type { Storage, StorageId } from '../tables.ts'
import { AnswerCache } from './answer-cache.ts'

/** Requests hold lists of wants and haves, not content: much more than this is an attack. */
export const FETCH_REQUEST_BYTES_MAX = 32 * 1024 * 1024
const FETCH_TIMEOUT_MS = 3_600_000
/** Error output that makes a check of the files worthwhile. It proves nothing: git repeats client input. */
const SUSPECT = /corrupt|bad object|missing|inflate|unable to read|not a git repository|mismatch|packfile/i

export const UPLOAD_SETTINGS: Readonly<Record<string, string>> = {
  'uploadpack.allowFilter': 'true',
  // Access was checked when the repository was opened, and refs are advertised from PostgreSQL.
  'uploadpack.allowAnySHA1InWant': 'true',
  'pack.threads': '1',
}

/** Answers one request of the stateless protocol. */
export async function answerFetch(
  ctx: Context,
  storageId: StorageId,
  body: Buffer,
  protocol: 0 | 1 | 2,
): Promise<Readable> {
  if (protocol !== 2)
    return (await ctx.gitMetrics.timeFetch(computePack(ctx, storageId, body, protocol))).output
  const storage = await getStorage(ctx.db, storageId)
  const reader = new PktReader()
  return (await answerRequest(ctx, storage, readRequest(reader.push(body)), body)).output
}

/**
 * Protocol 2 over a persistent connection: requests follow each other until the client disconnects. Resolves with the
 * exit code that git would have had.
 */
export async function serveFetches(
  ctx: Context,
  storageId: StorageId,
  streams: Streams,
  assertStill: () => Promise<void>,
): Promise<number> {
  const storage = await getStorage(ctx.db, storageId)
  streams.output.write(capabilities(storage))
  try {
    for await (const { pkts, bytes } of requestsOf(streams.input)) {
      if (pkts.length === 0) break
      // Access may have been revoked since the client connected.
      await assertStill()
      const answer = await answerRequest(ctx, storage, readRequest(pkts), bytes)
      await copy(answer.output, streams.output)
      await answer.done
    }
  } catch (error) {
    // Git has already sent the error to the client, as far as possible.
    if (error instanceof GitFailure) return error.code ?? FATAL
    throw error
  }
  streams.output.end()
  return 0
}

/** Protocols 0 and 1 over a persistent connection. Resolves with the exit code of git. */
export function serveOldFetch(
  ctx: Context,
  storageId: StorageId,
  { input, output, protocol }: Streams & { readonly protocol: 0 | 1 },
): Promise<number> {
  const command = { name: 'upload-pack', settings: UPLOAD_SETTINGS }
  const environment: Record<string, string> = protocol === 1 ? { GIT_PROTOCOL: 'version=1' } : {}
  const startedAt = performance.now()
  return runInteractiveGit(ctx, storageId, command, {
    input,
    output,
    environment,
    timeoutMs: FETCH_TIMEOUT_MS,
    onEnd: (bytes) => ctx.gitMetrics.endFetch(startedAt, bytes),
  })
}

/** The output, and whether it is complete; its size so far, unless it comes from the shared answers. */
type Answer = Pick<RunningGit, 'output' | 'done'> & Partial<Pick<RunningGit, 'outputBytes'>>

async function answerRequest(
  ctx: Context,
  storage: Storage,
  request: Request,
  bytes: Buffer,
): Promise<Answer> {
  if (request.command === 'ls-refs') {
    const refs = answerLsRefs(ctx, storage, lsRefsOf(request))
    return { output: Readable.from(refs, { objectMode: false }), done: Promise.resolve() }
  }
  if (request.command !== 'fetch') throw new Problem('malformed', 'unknown command')
  // Haves differ by client; an answer without haves is the same for all clients.
  const isShared = request.args.includes('done') && !request.args.some((arg) => arg.startsWith('have '))
  const answer = isShared ? sharePack(ctx, storage, request, bytes) : computePack(ctx, storage.id, bytes, 2)
  return ctx.gitMetrics.timeFetch(answer)
}

/** Shallow and partial clones may be much smaller than the repository, so less room is reserved; it grows when needed. */
const PART = /^(deepen|filter)/
const PARTS_IN_ROOM = 8

async function sharePack(ctx: Context, storage: Storage, request: Request, body: Buffer): Promise<Answer> {
  const { answers } = ctx.cache
  const keyAt = ({ id, stamp }: Storage) => AnswerCache.keyOf(id, stamp, request.args)
  // A failure of git reaches every reader as an error of its stream.
  const told = (output: Readable) => ({ output, done: Promise.resolve() })
  const known = answers.find(keyAt(storage))
  if (known !== undefined) return told(known)
  await using held = new AsyncDisposableStack()
  const lease = held.use(await ctx.cache.lease(ctx, storage.id))
  const key = keyAt(lease.storage)
  const meanwhile = answers.find(key)
  if (meanwhile !== undefined) return told(meanwhile)
  const isPart = request.args.some((arg) => PART.test(arg))
  const bytes = isPart ? Math.min(lease.bytes, answers.bytesMax / PARTS_IN_ROOM) : lease.bytes
  // Other requests wait for this answer, too: it must not end with the request that happened to come first.
  const lasting = { ...ctx, signal: new AbortController().signal }
  const begun = answers.begin(key, bytes, () => startUpload(lasting, lease, body, 2))
  const answer = begun === undefined ? startUpload(ctx, lease, body, 2) : told(begun)
  held.move()
  return answer
}

async function computePack(
  ctx: Context,
  storageId: StorageId,
  body: Buffer,
  protocol: 0 | 1 | 2,
): Promise<Answer> {
  return startUpload(ctx, await ctx.cache.lease(ctx, storageId), body, protocol)
}

/** Releases the lease when git has exited. */
function startUpload(ctx: Context, lease: Lease, body: Buffer, protocol: 0 | 1 | 2): RunningGit {
  const git = startGit(
    ctx,
    {
      name: 'upload-pack',
      flags: ['--stateless-rpc', '--strict'],
      settings: UPLOAD_SETTINGS,
      repository: lease.path,
    },
    {
      path: lease.path,
      input: body,
      timeoutMs: FETCH_TIMEOUT_MS,
      environment: { GIT_PROTOCOL: `version=${protocol}` },
    },
  )
  aside(ctx.log, settle(ctx, lease, git))
  return git
}

/**
 * When git fails on cache files they are repaired, so that the client's next attempt succeeds. No caller waits for
 * this, so errors are logged here.
 */
async function settle(ctx: Context, lease: Lease, git: RunningGit): Promise<void> {
  const fields = { 'git.storage': lease.storage.id }
  try {
    await using _lease = lease
    await git.done.catch(async (error: unknown) => {
      ctx.log.info({ ...fields, err: error }, 'fetch aborted')
      if (error instanceof GitFailure && error.code !== null && SUSPECT.test(error.said))
        await ctx.cache.heal(ctx, lease.storage.id, 'rotten')
    })
  } catch (error) {
    ctx.log.warn({ ...fields, err: error }, 'fetch cleanup failed')
  }
}

/** When the source fails, the bytes before must still reach the client: they hold git's error message. */
async function copy(from: Readable, to: Writable): Promise<void> {
  for await (const chunk of from as AsyncIterable<Buffer>)
    await new Promise<void>((resolve, reject) =>
      to.write(chunk, (error) => (error ? reject(error) : resolve())),
    )
}

async function* requestsOf(input: Readable): AsyncGenerator<{ pkts: Pkt[]; bytes: Buffer }> {
  const reader = new PktReader()
  let pkts: Pkt[] = []
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input as AsyncIterable<Buffer>) {
    for (const { pkt, bytes } of reader.pushWithBytes(chunk)) {
      size += bytes.length
      if (size > FETCH_REQUEST_BYTES_MAX) throw new Problem('too_large', 'request is too large')
      chunks.push(bytes)
      // An empty pkt-line takes a hundred times as much memory here as on the wire.
      if (pkts.length >= REQUEST_LINES_MAX) throw new Problem('too_large', 'request has too many lines')
      if (pkt.kind !== 'flush') {
        pkts.push(pkt)
        continue
      }
      yield { pkts, bytes: Buffer.concat(chunks) }
      pkts = []
      chunks = []
      size = 0
    }
  }
}
