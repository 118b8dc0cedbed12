/** A session: from the key somebody signed in with, and the command they sent, to one verb of git. */
import { openToFetch, openToPush, pushHandlers, repositoryPathOf } from '#domains/contents'
import { findPublicKeyByFingerprint, touchPublicKey } from '#domains/keys'
import { actorOf, findAccountById, refusalOf } from '#domains/users'
import { receivePush, serveFetches, serveOldFetch } from '#git'
import type { Context } from '#platform/context'
import { forbidden, Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { serveArchive } from './archive.ts'
import type { Channel } from './channel.ts'
import { readWish, type Wish } from './wish.ts'

export interface SessionWords {
  readonly fingerprint: string
  /** What the client wants; empty when it wants a shell. */
  readonly command: string
  /** GIT_PROTOCOL, as the client has set it. */
  readonly protocol: string
}

export async function serveSession(ctx: Context, channel: Channel, words: SessionWords): Promise<void> {
  const key = await findPublicKeyByFingerprint(ctx.db, words.fingerprint)
  const account = key && (await findAccountById(ctx.db, key.account_id))
  if (key === undefined || account === undefined)
    throw new Problem('unauthenticated', 'the key belongs to nobody any more')
  const refusal = refusalOf(account)
  if (refusal !== null) throw forbidden(refusal)
  await touchPublicKey(ctx, key)
  if (words.command === '') {
    channel.say(
      `hello ${account.login}, you came in with the key "${key.title}"; there is no shell here, only git`,
    )
    return
  }
  const actor = actorOf(account, { publicOnly: false, via: 'process', tokenId: null })
  const protocol = /^[\w=:.-]{1,200}$/.test(words.protocol) ? words.protocol : ''
  await grant({ ...ctx, actor }, channel, readWish(words.command), protocol)
}

async function grant(ctx: Context, channel: Channel, wish: Wish, protocol: string): Promise<void> {
  const { input, output } = channel
  if (wish.verb === 'receive-pack') {
    const repo = await atItsName(channel, wish, (path) => openToPush(ctx, path))
    const handlers = pushHandlers(ctx, repo, asSignedIn({ ctx }))
    return receivePush(ctx, repo.storage_id, { input, output, isStateless: false, protocol }, handlers)
  }
  const repo = await atItsName(channel, wish, (path) => openToFetch(ctx, path))
  if (wish.verb === 'upload-archive') return serveArchive(ctx, repo.storage_id, { input, output })
  const words = protocol.split(':')
  if (words.includes('version=2')) return serveFetches(ctx, repo.storage_id, { input, output })
  const old = words.includes('version=1') ? 1 : 0
  return serveOldFetch(ctx, repo.storage_id, { input, output, protocol: old })
}

/** SSH cannot send a client to another address, so an old name is followed here, and the client is told. */
async function atItsName<T>(
  channel: Channel,
  { owner, repo }: Wish,
  open: (path: { owner: string; repo: string }) => Promise<T>,
): Promise<T> {
  const path = repositoryPathOf(owner, repo)
  try {
    return await open(path)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'moved') throw error
    const from = String(error.details.from).toLowerCase()
    const to = String(error.details.to)
    channel.say(`${from} is called ${to} now, please use that name`)
    return open(path.owner.toLowerCase() === from ? { ...path, owner: to } : { ...path, repo: to })
  }
}
