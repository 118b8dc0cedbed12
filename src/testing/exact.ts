/** Validates an answer against its schema, and refuses fields the schema does not name: nothing may leak by accident. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { TSchema } from 'typebox'
import { validatorOf } from '#http'
import type { Answer, Route } from '#platform/rest'

interface Shape {
  readonly properties?: Record<string, Shape>
  readonly additionalProperties?: unknown
  readonly patternProperties?: unknown
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

export function assertAnswer(route: Route, answer: Answer): void {
  const name = `${route.method} ${route.path} → ${answer.status}`
  const schema = route.answers[answer.status]
  assert.notEqual(schema, undefined, `${name}: the route does not name this status`)
  if (schema === null || schema === undefined) {
    assert.equal(answer.body, undefined, `${name}: there must be no body`)
    return
  }
  if ((schema as { format?: string }).format === 'binary' || answer.body instanceof Readable) return
  // As the client gets it: dates become strings, undefined fields vanish.
  const body = JSON.parse(JSON.stringify(answer.body)) as unknown
  const errors = validatorOf(schema).Errors(body)
  assert.deepEqual(errors.slice(0, 3), [], `${name}: the answer breaks its schema`)
  assertNamed(schema as TSchema as Shape, body, name)
}

function assertNamed(shape: Shape, value: unknown, path: string): void {
  if (Array.isArray(value)) {
    for (const item of value) if (shape.items) assertNamed(shape.items, item, `${path}[]`)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const choice = shape.anyOf?.find((it) => it.properties !== undefined) ?? shape
  if (choice.properties === undefined || choice.additionalProperties || choice.patternProperties) return
  for (const [key, item] of Object.entries(value)) {
    const below = choice.properties[key]
    assert.notEqual(below, undefined, `${path}.${key}: the schema does not name this field`)
    if (below) assertNamed(below, item, `${path}.${key}`)
  }
}
