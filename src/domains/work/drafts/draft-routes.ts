/**
 * Saves drafts. Scripts send them when typing pauses and when the page is left; the browser does not wait for the
 * response.
 */
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
      // A character takes up to four bytes in UTF-8, and percent-encoding three for each byte.
      if (body.length > DRAFT_MAX * 12) throw invalid('draft is too long')
      const sent = new URLSearchParams(body.toString('utf8'))
      const text = (sent.get('text') ?? '').replaceAll('\r\n', '\n')
      await keepDraft(ctx, opened, sent.get('place') ?? '', text)
      return { status: 204, headers: {}, body: undefined }
    },
  }),
]
