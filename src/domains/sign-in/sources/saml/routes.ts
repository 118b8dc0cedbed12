/** The assertion consumer service (HTTP-POST binding), and the metadata of the forge as a service provider. */
import { Type } from 'typebox'
import { Problem } from '#platform/problem'
import { type RawRoute, rawRoute } from '#platform/rest'
import { getEnabled } from '../records/store.ts'
import { answerSaml, metadataFor } from './flow.ts'
import { LENGTH_MAX } from './names.ts'

const params = Type.Object({ source: Type.String({ maxLength: 50 }) })
/** Percent signs in the form, and a RelayState that is ignored. */
const BODY_BYTES_MAX = 2 * LENGTH_MAX
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

export const samlRoutes: readonly RawRoute[] = [
  rawRoute({
    method: 'GET',
    path: '/user/saml/:source/metadata',
    operationId: 'sourceGetSamlMetadata',
    scopes: [],
    params,
    open: () => null,
    handle: async ({ ctx, params: { source } }) => ({
      status: 200,
      headers: { 'content-type': 'application/samlmetadata+xml', 'x-content-type-options': 'nosniff' },
      body: metadataFor(ctx, await getEnabled(ctx.db, source, 'saml')),
    }),
  }),
  /** Comes from the provider's page, so without cookies: the browser finishes by a request of its own. */
  rawRoute({
    method: 'POST',
    path: '/user/saml/:source/acs',
    operationId: 'sourceAnswerSaml',
    scopes: [],
    params,
    open: () => null,
    handle: async ({ ctx, params: { source }, headers, body }) => {
      const provider = await getEnabled(ctx.db, source, 'saml')
      if (!FORM.test(headers['content-type'] ?? '')) throw new Problem('malformed', 'form is expected')
      if (body.length > BODY_BYTES_MAX) throw new Problem('too_large', 'body is too large')
      const [response = '', ...others] = new URLSearchParams(body.toString('latin1')).getAll('SAMLResponse')
      await answerSaml(ctx, provider, others.length === 0 ? response : '')
      const location = `/user/saml/${encodeURIComponent(provider.name)}/finish`
      return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: undefined }
    },
  }),
]
