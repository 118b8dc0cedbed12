/** Keys and picture of somebody under their name, for machines: `curl …/ann.keys >> authorized_keys`. */
import { Type } from 'typebox'
import { listGpgKeys, listPublicKeys } from '#domains/keys'
import { avatarUrl, openUser } from '#domains/users'
import type { Context } from '#platform/context'
import { type RawAnswer, type RawRoute, rawRoute } from '#platform/rest'

/** More keys than anybody has. */
const ALL = { number: 1, limit: 100, offset: 0 }
const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }

type Account = Awaited<ReturnType<typeof openUser>>

export const ownerRoutes: readonly RawRoute[] = [
  ownerRoute('/:owner.keys', 'webGetKeys', async (ctx, owner) => {
    const { items } = await listPublicKeys(ctx, { accountId: owner.id, fingerprint: undefined }, ALL)
    return { status: 200, headers: TEXT, body: items.map(({ key }) => `${key}\n`).join('') }
  }),
  ownerRoute('/:owner.gpg', 'webGetGpgKeys', async (ctx, owner) => {
    const { items } = await listGpgKeys(ctx, owner, ALL)
    return { status: 200, headers: TEXT, body: items.map(({ key }) => `${key.armored.trim()}\n`).join('\n') }
  }),
  ownerRoute('/:owner.png', 'webGetPicture', async (ctx, owner) => ({
    status: 302,
    headers: { location: avatarUrl(owner, ctx.site) },
    body: undefined,
  })),
]

function ownerRoute(
  path: string,
  operationId: string,
  answer: (ctx: Context, owner: Account) => Promise<RawAnswer>,
): RawRoute {
  return rawRoute({
    method: 'GET',
    path,
    operationId,
    scopes: ['user'],
    takesSession: true,
    params: Type.Object({ owner: Type.String({ maxLength: 100 }) }),
    open: ({ ctx, params }) => openUser(ctx, params.owner),
    handle: ({ ctx, opened }) => answer(ctx, opened),
  })
}
