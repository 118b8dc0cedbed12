/**
 * Receiving a push. `git receive-pack` handles the protocol, thin packs, connectivity and fsck, in a throw-away
 * repository that borrows the objects of the cache. It does not decide: its hook passes every command to this process,
 * which applies the policy, publishes the pack, commits refs and pack in one transaction, and only then reports ok.
 */

import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import type { Context, TxContext } from '#platform/context'
import { databaseAway } from '#platform/db'
import { Problem } from '#platform/problem'
import type { Lease } from '../cache/cache.ts'
import { FATAL, type Streams } from '../command/interactive.ts'
import { type GitProcess, startProcess } from '../command/process.ts'
import { publishPacks } from '../packs/publish.ts'
import { boundCommands } from '../protocol/bounded-commands.ts'
import {
  answerProcReceive,
  type Commands,
  type PushResult,
  readProcReceive,
} from '../protocol/proc-receive.ts'
import { assertObjectsPresent, standOn, tipsOf } from '../refs/basis.ts'
import { commitRefs, findRoom } from '../refs/move.ts'
import { HEADS } from '../refs/names.ts'
import type { PreparedMagicRefs, RefPolicy, Together } from '../refs/policy.ts'
import type { RefResult, RefUpdate } from '../refs/update.ts'
import { zeroOid } from '../storage/storage.ts'
import type { StorageId } from '../tables.ts'
import { borrow } from './borrowed-repository.ts'
import { findPushedTypes, type PushedObject } from './pushed-types.ts'

export interface PushStreams extends Streams {
  /** Over HTTP refs are advertised by a separate request. */
  readonly isStateless: boolean
  readonly protocol: string
}

interface Push {
  readonly storageId: StorageId
  readonly lease: Lease
  readonly path: string
  readonly commands: Commands
  readonly objects: ReadonlyMap<string, PushedObject>
  readonly zero: string
  /** Number of objects the client has sent. */
  readonly sent: number
  /** Number of refs in the push, including those that git refused before its hook ran. */
  readonly commandsSent: number
}

const HOOKS = fileURLToPath(new URL('../protocol/hooks', import.meta.url))
const PUSH_TIMEOUT_MS = 3_600_000

/** Resolves with the exit code of git, which is 0 also when refs were refused: each refusal was reported. */
export async function receivePush(
  ctx: Context,
  storageId: StorageId,
  streams: PushStreams,
  policy: RefPolicy,
): Promise<number> {
  // At once: an input error without a listener would crash the node.
  const { input, objects: countSent, commands: countCommands, bytes } = boundCommands(streams.input)
  using pushing = ctx.gitMetrics.startPush(bytes)
  await using lease = await ctx.cache.lease(ctx, storageId)
  await using borrowed = await borrow(ctx, lease)
  const git = startReceivePack(ctx, borrowed.path, { ...streams, input })
  const [toServer, toHook, toPusher] = git.pipes
  assert(toServer && toHook && toPusher)
  const zero = zeroOid(lease.storage.object_format)
  const hearing = readProcReceive(toServer, toHook)
  const oids = hearing.then(
    (commands) => commands?.updates.map((it) => it.new).filter((oid) => oid !== zero) ?? [],
    () => [],
  )
  const inspecting = findPushedTypes(ctx, borrowed.path, oids, { timeoutMs: PUSH_TIMEOUT_MS })
  const answering = Promise.all([hearing, inspecting]).then(async ([commands, objects]) => {
    if (commands === undefined) return
    const counts = { sent: countSent(), commandsSent: countCommands() }
    const push = { storageId, lease, path: borrowed.path, commands, objects, zero, ...counts }
    const results = await handle(ctx, push, policy).catch(refuseAll(ctx, commands))
    if (results.every(({ refusal }) => refusal !== undefined)) ctx.audit?.refuse('forbidden')
    toPusher.end(await tell(ctx, results, policy))
    answerProcReceive(toHook, results)
  })
  // After any failure on our side git must not wait for an answer that never comes.
  const answered = answering.catch((error: unknown) => {
    if (!ctx.signal.aborted) ctx.log.error({ err: error, 'git.storage': storageId }, 'push failed')
    toPusher.end('internal server error, please try again later\n')
    toHook.end()
  })
  const code = (await git.ended) ?? FATAL
  await answered
  if (code === 0) pushing.succeed()
  else ctx.log.info({ 'git.code': code, 'git.said': git.said() }, 'receive-pack failed')
  return code
}

function startReceivePack(ctx: Context, path: string, streams: PushStreams): GitProcess {
  const settings = {
    'core.hooksPath': HOOKS,
    // The borrowed repository has the same refs.
    'core.alternateRefsCommand': 'true',
    // Nothing in this repository is permanent: the pack is published.
    'core.fsync': 'none',
    'receive.procReceiveRefs': 'refs/',
    'receive.advertisePushOptions': 'true',
    'receive.fsckObjects': 'true',
    'receive.autogc': 'false',
    'receive.maxInputSize': String(ctx.config['git.push_bytes_max']),
    // Never loose objects: only packs are published.
    'transfer.unpackLimit': '1',
    'receive.denyCurrentBranch': 'ignore',
    'receive.denyDeleteCurrent': 'ignore',
  }
  const flags = streams.isStateless ? (['--stateless-rpc'] as const) : []
  const git = startProcess(
    ctx,
    { name: 'receive-pack', flags, settings, repository: path },
    {
      timeoutMs: PUSH_TIMEOUT_MS,
      output: streams.output,
      environment: streams.protocol === '' ? {} : { GIT_PROTOCOL: streams.protocol },
      pipes: 3,
    },
  )
  streams.input.pipe(git.input)
  return git
}

/** Policy, pack, transaction, in this order; every ref gets its own result. */
async function handle(ctx: Context, push: Push, policy: RefPolicy): Promise<PushResult[]> {
  const { storageId, commands, objects, commandsSent } = push
  const all = commands.updates.map((it) => ({ ...it, peeled: objects.get(it.new)?.peeled ?? null }))
  const isMagic = ({ name }: RefUpdate) => policy.magicRefs?.matches(name) ?? false
  const updates = all.filter((it) => !isMagic(it))
  const livePacks = await findRoom(ctx, { storageId, updates: all })
  const { refusals, together } = await decide(ctx, push, updates, policy)
  const magicRefs = await prepareMagicRefs(ctx, push, all.filter(isMagic), policy)
  for (const [name, problem] of magicRefs?.refusals ?? []) refusals.set(name, problem.message)
  const allowed = all.filter(({ name }) => !refusals.has(name))
  if (commands.isAtomic && allowed.length < commandsSent)
    return all.map((update) => ({ update, refusal: refusals.get(update.name) ?? 'atomic push failed' }))
  if (allowed.length === 0) return all.map((update) => ({ update, refusal: refusals.get(update.name) }))
  let stands: ReadonlyMap<string, string> = new Map()
  const apply = async (ctx: TxContext) => {
    stands = (await magicRefs?.apply(ctx)) ?? stands
  }
  const plan = { allowed, moved: allowed.filter((it) => !isMagic(it)), livePacks, together }
  const hasMagicRefs = plan.moved.length < allowed.length
  const results = await publishAndCommit(ctx, push, hasMagicRefs ? { ...plan, apply } : plan)
  const byName = new Map(results.map((result) => [result.update.name, result.refusal]))
  return all.map((update) => {
    const standIn = stands.get(update.name)
    const refusal = refusals.get(update.name) ?? byName.get(update.name)
    return { update, refusal, ...(standIn === undefined ? {} : { standIn }) }
  })
}

function prepareMagicRefs(
  ctx: Context,
  { commands: { options }, path }: Push,
  magicRefs: readonly RefUpdate[],
  policy: RefPolicy,
): Promise<PreparedMagicRefs> | undefined {
  if (magicRefs.length === 0) return undefined
  return policy.magicRefs?.prepare(ctx, magicRefs, { options, openObjects: async () => path })
}

/** Messages besides the results. The push is done; a failure here must not fail it. */
async function tell(ctx: Context, results: readonly PushResult[], policy: RefPolicy): Promise<string> {
  const moved = results.filter(({ refusal }) => refusal === undefined).map(({ update }) => update)
  if (moved.length === 0) return ''
  try {
    const lines = (await policy.tell?.(ctx, moved)) ?? []
    return lines.map((line) => `${line}\n`).join('')
  } catch (error) {
    ctx.log.warn({ err: error }, 'push could not be commented on')
    return ''
  }
}

interface Decided {
  /** By ref name; git shows the text to the pusher. */
  readonly refusals: Map<string, string>
  readonly together: Together | undefined
}

async function decide(
  ctx: Context,
  { path, objects, zero }: Push,
  updates: readonly RefUpdate[],
  policy: RefPolicy,
): Promise<Decided> {
  // Git checks this when it writes a branch, but here git writes no refs.
  const isUnfit = ({ name, new: oid }: RefUpdate) =>
    name.startsWith(HEADS) && oid !== zero && objects.get(oid)?.kind !== 'commit'
  const fit = updates.filter((update) => !isUnfit(update))
  const decision = await policy.decide?.(ctx, fit, async () => path)
  const refusals = new Map([...(decision?.refusals ?? [])].map(([name, { message }]) => [name, message]))
  for (const { name } of updates.filter(isUnfit))
    refusals.set(name, 'trying to write non-commit object to branch')
  return { refusals, together: decision?.together }
}

/**
 * A Problem is reported for every ref, and so is a database that is away: a COMMIT without an answer is a Problem of its
 * own. Any other error is ours and is thrown.
 */
function refuseAll(ctx: Context, commands: Commands): (error: unknown) => PushResult[] {
  return (error) => {
    const away = databaseAway(error)
    if (away !== undefined) ctx.log.error({ err: error }, 'database unavailable')
    else if (!(error instanceof Problem)) throw error
    else if (error.cause !== undefined) ctx.log.error({ err: error }, 'push failed')
    const refusal = (away ?? (error as Problem)).message
    return commands.updates.map((it) => ({ update: { ...it, peeled: null }, refusal }))
  }
}

interface Plan {
  readonly allowed: readonly RefUpdate[]
  /** The real refs among them. */
  readonly moved: readonly RefUpdate[]
  readonly livePacks: number
  readonly together: Together | undefined
  readonly apply?: (ctx: TxContext) => Promise<void>
}

async function publishAndCommit(
  ctx: Context,
  { storageId, lease, path, commands: { isAtomic }, sent }: Push,
  { allowed, moved, ...plan }: Plan,
): Promise<RefResult[]> {
  const wanted = tipsOf({ updates: allowed, isAtomic })
  const packs = await publishPacks(ctx, path, { kind: 'receive', wanted })
  assertObjectsPresent(packs, sent)
  const written = { packs, basis: await standOn(lease, wanted, packs) }
  return commitRefs(ctx, { storageId, updates: moved, isAtomic, written, ...plan })
}
