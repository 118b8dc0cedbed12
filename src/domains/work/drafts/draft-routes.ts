/** Keeps what somebody is writing. Scripts send it when typing stops and when the page is left; nobody waits for the answer. */
import { invalid } from '#platform/problem'
import { asSignedIn, type RawRoute, rawRoute } from '#platform/rest'
import { DRAFT_MAX, keepDraft } from './drafts.ts'

export const draftRoutes: readonly RawRoute[] = [
  rawRoute({
    method: 'POST',
    path: '/-/draft',
    operationId: 'webKeepDraft',
    scopes: [],
    takesSession: 'only',
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => {
      // In UTF-8 a character takes up to four bytes, and an address writes each with three.
      if (body.length > DRAFT_MAX * 12) throw invalid('draft is too long')
      const sent = new URLSearchParams(body.toString('utf8'))
      const text = (sent.get('text') ?? '').replaceAll('\r\n', '\n')
      await keepDraft(ctx, opened, sent.get('place') ?? '', text)
      return { status: 204, headers: {}, body: undefined }
    },
  }),
]
