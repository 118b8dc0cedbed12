/** A session: from the key and the command of a client to one git operation. */

import {
  bearerOf,
  type DeployBearer,
  findPublicKeyByFingerprint,
  type PublicKeyRow,
  touchPublicKey,
} from '#domains/code/keys'
import { authenticateSsh, serveTransfer } from '#domains/code/lfs'
import { OperationEntry } from '#domains/instance/audit'
import {
  actorOf,
  FACTOR_REQUIRED,
  findAccountById,
  lacksDemandedFactor,
  networkOf,
  refusalOf,
  SUSPENDED,
  visitorOf,
} from '#domains/people/users'
import { type GitPath, gitPathOf, openToFetch, openToPush } from '#domains/remotes/transport'
import { receivePush, serveArchive, serveFetches, serveOldFetch } from '#git'
import type { Actor, Context, Visitor } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import type { Channel } from './channel.ts'
import { type GitCommandLine, type LfsCommandLine, parseGitCommand } from './git-command.ts'

export interface SessionWords {
  readonly fingerprint: string
  /** The client's command; empty when it requests a shell. */
  readonly command: string
  /** GIT_PROTOCOL, as set by the client. */
  readonly protocol: string
  /** IP address of the client. */
  readonly address: string
}

/** A user, or the bearer of a deploy key, which belongs to no user. */
interface Caller {
  readonly ctx: Context
  readonly bearer: DeployBearer | null
  /** A user's read-only key fetches and never pushes; for a deploy key its bearer decides. */
  readonly isReadOnly: boolean
  readonly fingerprint: string
  readonly greeting: string
  readonly visitor: Visitor
  readonly audit: OperationEntry
}

/** Names all sessions, where clients are counted. */
const ROUTE = 'ssh'

/** Resolves with the exit code for the client. */
export async function serveSession(ctx: Context, channel: Channel, words: SessionWords): Promise<number> {
  const caller = await callerOf(ctx, await getKey(ctx, words.fingerprint), words.address)
  const { actor } = caller.ctx
  const leave = actor === null ? undefined : ctx.openRequests.enter(actor.id, () => channel.cut(SUSPENDED))
  try {
    return await serveCaller(ctx, caller, channel, words)
  } finally {
    leave?.()
  }
}

async function serveCaller(
  ctx: Context,
  caller: Caller,
  channel: Channel,
  words: SessionWords,
): Promise<number> {
  if (words.command === '') {
    channel.say(`${caller.greeting}, but shell access is disabled`)
    return 0
  }
  ctx.clientUse.count(caller.visitor, { requests: 1 })
  const protocol = /^[\w=:.-]{1,200}$/.test(words.protocol) ? words.protocol : ''
  const command = parseGitCommand(words.command)
  if (!('operation' in command)) return grant(caller, channel, command, protocol)
  if (command.verb === 'lfs-transfer') return transferLfs(ctx, channel, command, words)
  return grantLfs(caller, channel, command)
}

async function callerOf(ctx: Context, key: PublicKeyRow, address: string): Promise<Caller> {
  const { account_id } = key
  // Over HTTP the same operation has this name.
  const from = { address, network: networkOf(address), requestId: null }
  const audit = new OperationEntry(ctx, 'gitReceivePack', from)
  if (account_id === null) {
    const bearer = bearerOf(ctx, { ...key, account_id })
    const visitor = { lane: 'machine' as const, key: bearer.name, route: ROUTE }
    const greeting = 'hello, you have authenticated with a deploy key'
    audit.by({ via: 'key', credential: bearer.name })
    return {
      ctx: { ...ctx, visitor },
      bearer,
      isReadOnly: false,
      fingerprint: key.fingerprint,
      greeting,
      visitor,
      audit,
    }
  }
  const actor = await actorBy(ctx, account_id)
  await touchPublicKey(ctx, key)
  const greeting = `hello ${actor.login}, you have authenticated with the key "${key.title}"`
  const reopen = async (ctx: Context) => {
    const now = await getKey(ctx, key.fingerprint)
    // The key may have been deleted and added again, for another account or as a read-only key.
    if (now.account_id !== account_id || now.is_read_only !== key.is_read_only) throw nobodysKey()
    return actorBy(ctx, account_id)
  }
  const visitor = { ...visitorOf(actor), route: ROUTE }
  const own = { ...ctx, actor, visitor, reopen }
  const { fingerprint, is_read_only: isReadOnly } = key
  audit.by({ via: 'ssh', credential: fingerprint, account: actor })
  return { ctx: own, bearer: null, isReadOnly, fingerprint, greeting, visitor, audit }
}

async function getKey(ctx: Context, fingerprint: string): Promise<PublicKeyRow> {
  const key = await findPublicKeyByFingerprint(ctx.db, fingerprint)
  if (key === undefined) throw nobodysKey()
  return key
}

async function actorBy(ctx: Context, accountId: number): Promise<Actor> {
  const account = await findAccountById(ctx.db, accountId)
  if (account === undefined) throw nobodysKey()
  const refusal = refusalOf(account)
  if (refusal !== null) throw forbidden(refusal)
  if (lacksDemandedFactor(ctx, account)) throw forbidden(FACTOR_REQUIRED)
  return actorOf(account, { publicOnly: false, via: 'process', tokenId: null })
}

function nobodysKey(): Problem {
  return new Problem('unauthenticated', 'public key was deleted')
}

async function grant(
  caller: Caller,
  channel: Channel,
  command: GitCommandLine,
  protocol: string,
): Promise<number> {
  const { ctx, bearer } = caller
  const { input, output } = channel
  if (command.verb === 'receive-pack') return push(caller, channel, command, protocol)
  const { storageId, assertStill } = await followRename(channel, command, (path) =>
    openToFetch(ctx, path, bearer),
  )
  if (command.verb === 'upload-archive') return serveArchive(ctx, storageId, { input, output })
  const words = protocol.split(':')
  if (words.includes('version=2')) return serveFetches(ctx, storageId, { input, output }, assertStill)
  const old = words.includes('version=1') ? 1 : 0
  return serveOldFetch(ctx, storageId, { input, output, protocol: old })
}

/** Audited, whether it is done or refused. */
async function push(
  { ctx, bearer, isReadOnly, audit }: Caller,
  channel: Channel,
  command: GitCommandLine,
  protocol: string,
): Promise<number> {
  const { input, output } = channel
  try {
    if (isReadOnly) throw forbidden('the key is read-only: permission to push denied')
    const { owner, repo: name } = command
    const pushable = await followRename(channel, command, (path) => openToPush(ctx, path, bearer))
    const { storageId, target, policy, reopen } = pushable
    audit.about(target, { owner, repo: name })
    const streams = { input, output, isStateless: false, protocol }
    const code = await receivePush({ ...ctx, reopen, audit }, storageId, streams, policy)
    await audit.finish()
    return code
  } catch (error) {
    await audit.finish(error)
    throw error
  }
}

async function grantLfs(
  { ctx, bearer, fingerprint, isReadOnly }: Caller,
  channel: Channel,
  command: LfsCommandLine,
): Promise<number> {
  const { operation } = command
  if (operation === 'upload' && isReadOnly) throw forbidden('the key is read-only: permission to push denied')
  const endpoint = await followRename(channel, command, async (path) => {
    if (path.part === 'wiki') throw notFound('repository', path.repo)
    return authenticateSsh(ctx, path, operation, { fingerprint, bearer })
  })
  channel.output.write(`${JSON.stringify(endpoint)}\n`)
  return 0
}

/** Each command of the session identifies its caller again. */
async function transferLfs(
  ctx: Context,
  channel: Channel,
  command: LfsCommandLine,
  { fingerprint, address }: SessionWords,
): Promise<number> {
  const { operation } = command
  const { input, output } = channel
  await followRename(channel, command, async (path) => {
    if (path.part === 'wiki') throw notFound('repository', path.repo)
    await serveTransfer({
      path,
      operation,
      input,
      output,
      signal: ctx.signal,
      enter: async (operationId, act) => {
        const caller = await callerOf(ctx, await getKey(ctx, fingerprint), address)
        if (operation === 'upload' && caller.isReadOnly)
          throw forbidden('the key is read-only: permission to push denied')
        ctx.clientUse.count(caller.visitor, { requests: 1 })
        const audit = operationId === undefined ? undefined : caller.audit.of(operationId)
        try {
          const result = await act({ ...caller.ctx, ...(audit && { audit }) }, caller.bearer)
          await audit?.finish()
          return result
        } catch (error) {
          await audit?.finish(error)
          throw error
        }
      },
    })
  })
  return 0
}

/** SSH has no redirects, so an old name is followed here, and the client is told the new one. */
async function followRename<T>(
  channel: Channel,
  { owner, repo }: Pick<GitCommandLine, 'owner' | 'repo'>,
  open: (path: GitPath) => Promise<T>,
): Promise<T> {
  const path = gitPathOf(owner, repo)
  try {
    return await open(path)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'moved') throw error
    const from = String(error.details.from).toLowerCase()
    const to = String(error.details.to)
    channel.say(`${from} was renamed to ${to}, please update your remote URL`)
    const [toOwner = '', toRepo] = to.split('/')
    return open({ ...path, owner: toOwner, repo: toRepo ?? path.repo })
  }
}
