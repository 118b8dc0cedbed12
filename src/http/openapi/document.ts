/** The OpenAPI 3.1 document, generated from the routes alone. */
import { STATUS_CODES } from 'node:http'
import type { TSchema } from 'typebox'
import type { Route } from '#platform/rest'
import { docsUrlOf } from '#platform/site'
import { API_VERSION } from '#platform/version'
import { type Failure, failuresOf } from './failures.ts'
import { type Json, type JsonObject, SchemaRegistry } from './schemas.ts'

export function openApiDocument(routes: readonly Route[], siteUrl: string): JsonObject {
  const registry = new SchemaRegistry('#/components/schemas/')
  const shared: Record<string, JsonObject> = {}
  const docsUrl = docsUrlOf(siteUrl)
  const paths: Record<string, JsonObject> = {}
  for (const route of inOrder(routes)) {
    const path = documentPath(route.path)
    const failures = failuresOf(route, docsUrl)
    for (const failure of failures) shared[failure.name] ??= failureResponse(registry, failure)
    const written = operation(registry, route, failures)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: written }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Bloomery', version: API_VERSION, description: 'REST API of the Bloomery git forge.' },
    servers: [{ url: `${siteUrl}/api/v1` }],
    security: [{ token: [] }, { basic: [] }, {}],
    paths,
    components: {
      schemas: inNameOrder(registry.named),
      responses: inNameOrder(shared),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  }
}

/** Documents are read and compared by people: the same routes always produce the same text. */
export function inOrder(routes: readonly Route[]): Route[] {
  return routes
    .filter((route) => !route.isPage)
    .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))
}

export function inNameOrder(named: Record<string, JsonObject>): JsonObject {
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Removes patterns of parameters, which only the router needs. */
export function documentPath(path: string): string {
  return path.replaceAll(/[:*](\w+)(?:\(\^[^/]*\$\))?/g, '{$1}')
}

/** Every example needs a unique key. */
function examplesOf(values: readonly Json[]): JsonObject {
  return Object.fromEntries(values.map((value, i) => [`example${i + 1}`, { value }]))
}

function failureResponse(
  registry: SchemaRegistry,
  { description, body, bodies, headers }: Failure,
): JsonObject {
  const shown = headers.map(({ name, description, values }) => {
    const schema = { type: 'string' }
    return [name, { description, schema, examples: examplesOf(values) }] as const
  })
  return {
    description,
    ...(shown.length === 0 ? {} : { headers: Object.fromEntries(shown) }),
    ...(body === undefined
      ? {}
      : {
          content: { 'application/json': { schema: registry.refer(body), examples: examplesOf(bodies) } },
        }),
  }
}

function operation(registry: SchemaRegistry, route: Route, failures: readonly Failure[]): JsonObject {
  const responses: Record<string, JsonObject> = {}
  for (const [status, schema] of Object.entries(route.answers)) {
    responses[status] = {
      description: STATUS_CODES[status] ?? 'OK',
      ...(schema === null ? {} : { content: { [typeOf(schema)]: { schema: registry.refer(schema) } } }),
    }
  }
  for (const { status, name } of failures) responses[status] ??= { $ref: `#/components/responses/${name}` }
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.deprecated ? { deprecated: true } : {}),
    parameters: [
      ...parameters(registry, route.params, 'path'),
      ...parameters(registry, route.query, 'query'),
    ],
    ...requestBody(registry, route),
    responses,
  }
}

function requestBody(registry: SchemaRegistry, route: Route): JsonObject {
  const file = { type: 'string', format: 'binary' }
  if (route.takesFile)
    return {
      requestBody: {
        content: {
          'multipart/form-data': { schema: { type: 'object', properties: { attachment: file } } },
          'application/octet-stream': { schema: file },
        },
      },
    }
  if (route.body === undefined) return {}
  return { requestBody: { content: { 'application/json': { schema: registry.refer(route.body) } } } }
}

function typeOf(schema: TSchema): string {
  return (schema as { format?: string }).format === 'binary' ? 'application/octet-stream' : 'application/json'
}

function parameters(
  registry: SchemaRegistry,
  schema: Route['params'],
  place: 'path' | 'query',
): JsonObject[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const { description, ...shape } = registry.refer(field)
    return {
      name,
      in: place,
      required: place === 'path',
      ...(description === undefined ? {} : { description }),
      schema: shape,
    }
  })
}
