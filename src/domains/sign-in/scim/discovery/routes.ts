/** What clients discover: the configuration, the types of resources and their schemas; and every other address. */
import { Type } from 'typebox'
import { notFound, Problem } from '#platform/problem'
import type { Method, RawAnswer, RawRoute } from '#platform/rest'
import { openSource } from '../open.ts'
import { listOf, resource } from '../protocol/answers.ts'
import { scimRoute } from '../protocol/endpoint.ts'
import { BASE, BODY_BYTES_MAX, ERROR, GROUP, PAGE_MAX, USER } from '../protocol/names.ts'
import type { Json } from '../protocol/requests.ts'
import { schemasAt } from './schemas.ts'

const IdPath = Type.Object({ id: Type.String() })
const DISCOVERY = ['ServiceProviderConfig', 'ResourceTypes', 'Schemas']

export const discoveryRoutes: readonly RawRoute[] = [
  scimRoute({
    method: 'GET',
    path: `${BASE}/ServiceProviderConfig`,
    operationId: 'scimGetServiceProviderConfig',
    open: openSource,
    handle: async ({ ctx }) => resource(configAt(ctx.site.url, ctx.site.docsUrl)),
  }),
  ...listed('ResourceTypes', typesAt),
  ...listed('Schemas', schemasAt),
  scimRoute({
    method: 'GET',
    path: `${BASE}/*rest`,
    operationId: 'scimGetUnknown',
    params: Type.Object({ rest: Type.String() }),
    open: openSource,
    handle: async ({ params }) => {
      throw notFound('resource', params.rest)
    },
  }),
  ...(['POST', 'PUT', 'PATCH', 'DELETE'] as const).map(refusal),
]

function listed(name: 'ResourceTypes' | 'Schemas', itemsAt: (siteUrl: string) => Json[]): RawRoute[] {
  const path = `${BASE}/${name}`
  return [
    scimRoute({
      method: 'GET',
      path,
      operationId: `scimList${name}`,
      query: Type.Object({ filter: Type.Optional(Type.String()) }),
      open: openSource,
      handle: async ({ ctx, query }) => {
        // RFC 7644, section 4: these lists are not filtered.
        if (query.filter !== undefined) throw new Problem('forbidden', 'this list cannot be filtered')
        const items = itemsAt(ctx.site.url)
        return listOf(items, items.length, 1)
      },
    }),
    scimRoute({
      method: 'GET',
      path: `${path}/:id`,
      operationId: `scimGet${name}`,
      params: IdPath,
      open: openSource,
      handle: async ({ ctx, params }): Promise<RawAnswer> => {
        const item = itemsAt(ctx.site.url).find(({ id }) => id === params.id)
        if (item === undefined) throw notFound(name, params.id)
        return resource(item)
      },
    }),
  ]
}

/** They change nothing: no resource has these addresses. */
function refusal(method: Exclude<Method, 'GET'>): RawRoute {
  return scimRoute({
    method,
    path: `${BASE}/*rest`,
    operationId: `scim${method}Unknown`,
    params: Type.Object({ rest: Type.String() }),
    onlyReads: true,
    open: openSource,
    handle: async ({ params: { rest } }) => {
      const [first = ''] = rest.split('/')
      if (rest === 'Bulk' || rest === '.search') return notImplemented(rest)
      if (DISCOVERY.includes(first)) throw new Problem('method_not_allowed', 'method is not allowed')
      throw notFound('resource', rest)
    },
  })
}

/** Optional parts of the protocol. Users and groups are searched one kind at a time. */
function notImplemented(what: string): RawAnswer {
  return resource({ schemas: [ERROR], status: '501', detail: `${what} is not supported` }, { status: 501 })
}

function configAt(siteUrl: string, docsUrl: string): Json {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    documentationUri: docsUrl,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: BODY_BYTES_MAX },
    filter: { supported: true, maxResults: PAGE_MAX },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'A token that a site administrator creates for an authentication source',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${siteUrl}${BASE}/ServiceProviderConfig` },
  }
}

function typesAt(siteUrl: string): Json[] {
  const type = (id: string, endpoint: string, schema: string, description: string) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id,
    name: id,
    endpoint,
    description,
    schema,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${siteUrl}${BASE}/ResourceTypes/${id}` },
  })
  return [
    type('User', '/Users', USER, 'People of the authentication source'),
    type('Group', '/Groups', GROUP, 'Groups of the authentication source'),
  ]
}
