/**
 * Unsubscribes from one issue by the URL in a mail (RFC 8058): a POST does it without sign-in, a GET shows a button.
 * Mail scanners fetch URLs before users do, so a GET changes nothing.
 */
import { Type } from 'typebox'
import { unsubscribe } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { type RawAnswer, type RawRoute, rawRoute } from '#platform/rest'

const PATH = '/notifications/unsubscribe'
const PURPOSE = 'unsubscribe from an issue by mail'

declare const proven: unique symbol
/** Proof that the caller has the URL that was mailed to this user only. */
interface Receiver {
  readonly issueId: number
  readonly userId: number
  readonly [proven]: true
}

export function unsubscribeAddress(ctx: Context, issueId: number, userId: number): string {
  return `${ctx.site.url}${PATH}/${ctx.seal.seal(PURPOSE, `${issueId} ${userId}`)}`
}

function openByToken(ctx: Context, token: string): Receiver {
  try {
    const [issueId, userId] = ctx.seal.open(PURPOSE, token).split(' ').map(Number)
    return { issueId, userId } as Receiver
  } catch {
    throw notFound('subscription', 'by this address')
  }
}

const shared = {
  path: `${PATH}/:token`,
  scopes: [],
  params: Type.Object({ token: Type.String({ maxLength: 500 }) }),
  open: ({ ctx, params }: { ctx: Context; params: { token: string } }) => openByToken(ctx, params.token),
}

export const unsubscribeRoutes: readonly RawRoute[] = [
  rawRoute({
    ...shared,
    method: 'GET',
    operationId: 'showUnsubscribe',
    handle: async () =>
      page('Unsubscribe', '<form method="post"><button>Unsubscribe from this issue</button></form>'),
  }),
  rawRoute({
    ...shared,
    method: 'POST',
    operationId: 'unsubscribeByMail',
    handle: async ({ ctx, opened }) => {
      await unsubscribe(ctx, opened.issueId, opened.userId)
      return page('Unsubscribed', '<p>You will get no more mail about this issue.</p>')
    },
  }),
]

function page(title: string, body: string): RawAnswer {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html;charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    },
    body: `<!doctype html><meta charset="utf-8"><title>${title}</title>\n<h1>${title}</h1>\n${body}\n`,
  }
}
