/** The Swagger 2.0 document that existing clients request, generated from the same routes. */
import { STATUS_CODES } from 'node:http'
import type { Route } from '#platform/rest'
import { docsUrlOf } from '#platform/site'
import { API_VERSION } from '#platform/version'
import { documentPath, inNameOrder, inOrder } from './document.ts'
import { type Failure, failuresOf } from './failures.ts'
import { type Json, type JsonObject, SchemaRegistry } from './schemas.ts'

export function swaggerDocument(routes: readonly Route[], siteUrl: string): JsonObject {
  const registry = new SchemaRegistry('#/definitions/')
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
  const { host, protocol } = new URL(siteUrl)
  return {
    swagger: '2.0',
    info: { title: 'Bloomery', version: API_VERSION, description: 'REST API of the Bloomery git forge.' },
    host,
    basePath: '/api/v1',
    schemes: [protocol.slice(0, -1)],
    consumes: ['application/json'],
    produces: ['application/json'],
    paths,
    responses: inNameOrder(shared),
    definitions: older(inNameOrder(registry.named)) as JsonObject,
    securityDefinitions: {
      AuthorizationHeaderToken: { type: 'apiKey', name: 'Authorization', in: 'header' },
      BasicAuth: { type: 'basic' },
    },
    security: [{ AuthorizationHeaderToken: [] }, { BasicAuth: [] }],
  }
}

/** Swagger 2.0 allows one example of a body, and examples of headers only as an extension. */
function failureResponse(
  registry: SchemaRegistry,
  { description, body, bodies, headers }: Failure,
): JsonObject {
  const shown = headers.map(
    ({ name, description, values }) =>
      [name, { type: 'string', description, 'x-example': values[0] }] as const,
  )
  return {
    description,
    ...(shown.length === 0 ? {} : { headers: Object.fromEntries(shown) }),
    ...(body === undefined
      ? {}
      : { schema: registry.refer(body), examples: { 'application/json': { ...bodies[0] } } }),
  }
}

function operation(registry: SchemaRegistry, route: Route, failures: readonly Failure[]): JsonObject {
  const refer = (schema: unknown) => older(registry.refer(schema)) as JsonObject
  const responses: Record<string, JsonObject> = {}
  for (const [status, schema] of Object.entries(route.answers))
    responses[status] = {
      description: STATUS_CODES[status] ?? 'OK',
      ...(schema === null ? {} : { schema: refer(schema) }),
    }
  for (const { status, name } of failures) responses[status] ??= { $ref: `#/responses/${name}` }
  const fields = (schema: Route['params'], place: string): JsonObject[] =>
    Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
      ...refer(field),
      name,
      in: place,
      required: place === 'path',
    }))
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.deprecated ? { deprecated: true } : {}),
    parameters: [
      ...fields(route.params, 'path'),
      ...fields(route.query, 'query'),
      ...(route.body === undefined ? [] : [{ name: 'body', in: 'body', schema: refer(route.body) }]),
    ],
    responses,
  }
}

/** Swagger 2.0 has no `anyOf` and no null: nullable schemas are marked, unions become untyped. */
function older(value: Json): Json {
  if (Array.isArray(value)) return value.map(older)
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, examples: _, ...rest } = value as { anyOf?: JsonObject[] } & JsonObject
  const kept = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, older(item)])) as JsonObject
  if (!Array.isArray(anyOf)) return kept
  const solid = anyOf.filter((it) => it.type !== 'null')
  const nullable = solid.length < anyOf.length ? { 'x-nullable': true } : {}
  return { ...kept, ...(solid.length === 1 ? (older(solid[0]) as JsonObject) : {}), ...nullable }
}
