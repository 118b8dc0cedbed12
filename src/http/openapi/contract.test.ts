/** The API changes only when its reviewed snapshot does. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { routes } from '#cli'
import { STATUS } from '#platform/rest'
import { openApiDocument } from './document.ts'
import { failuresOf } from './failures.ts'
import { clientOf, typescriptOf } from './typescript.ts'

/** The verbs that forge APIs are searched by. */
const VERBS = new Set(
  `Accept Add Adopt Apply Approve Block Cancel Check Close Compare Conceal Confirm Create Delete Disable Dismiss Download Enable End Follow Fork Get Hide Lift Link List Lock Mark Merge Migrate Move Pin
  Publicize Redeliver Reject Remove Rename Render Replace Request Resolve Restore Run Search Star Start Stop Submit Subscribe Suspend Sync Test Transfer Unblock Unfollow Unlink Unlock Unpin Unresolve Unstar Unsubscribe
  Unwatch Update Upload Validate Verify Watch Withdraw`.split(/\s+/),
)
const SUMMARY_MAX = 80

test('the API is the one that was reviewed (npm run contract, then look at the diff)', async () => {
  const snapshot = await readFile(new URL('../../../contract/openapi.json', import.meta.url), 'utf8')
  assert.deepEqual(
    JSON.parse(JSON.stringify(openApiDocument(routes, 'http://forge.test'))),
    JSON.parse(snapshot),
  )
})

test('the operation types of pages match the API', async () => {
  const types = await readFile(new URL('../../web/gen/contract.ts', import.meta.url), 'utf8')
  const document = openApiDocument(routes, 'http://forge.test')
  assert.equal(typescriptOf(JSON.parse(JSON.stringify(document))), types)
})

test('the TypeScript client matches the API', async () => {
  const path = new URL('../../../clients/typescript/gen/operations.ts', import.meta.url)
  const document = openApiDocument(routes, 'http://forge.test')
  assert.equal(clientOf(JSON.parse(JSON.stringify(document))), await readFile(path, 'utf8'))
})

test('every operation has a unique name, and every string and list in requests is bounded', () => {
  const names = routes.map(({ operationId }) => operationId)
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  )
  const unbounded = routes.flatMap((route) => findUnbounded(route.body, `${route.method} ${route.path}`))
  assert.deepEqual(unbounded, [])
})

test('every summary is in the imperative and unique', () => {
  const said = routes.map(({ summary }) => summary)
  assert.deepEqual(
    said.filter((it) => !VERBS.has(it.split(' ', 1)[0] ?? '') || it.endsWith('.') || it.length > SUMMARY_MAX),
    [],
  )
  assert.deepEqual(
    said.filter((it, i) => said.indexOf(it) !== i),
    [],
  )
})

test('every failure a handler can throw is in the document', () => {
  const failures = routes.flatMap((route) => failuresOf(route, 'http://forge.test/api/swagger'))
  const documented = new Set(failures.map(({ status }) => Number(status)))
  assert.deepEqual(
    // Lost bytes are a fault of the installation, as an internal error is: no client can do anything about it.
    Object.values(STATUS).filter((status) => status !== STATUS.lost && !documented.has(status)),
    [],
  )
})

function findUnbounded(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    type,
    maxLength,
    maxItems,
    pattern,
    format,
    properties,
    items,
    anyOf,
    enum: choices,
  } = schema as Record<string, unknown>
  const found: string[] = []
  if (
    type === 'string' &&
    maxLength === undefined &&
    pattern === undefined &&
    format === undefined &&
    !choices &&
    !('const' in schema)
  )
    found.push(path)
  if (type === 'array' && maxItems === undefined) found.push(path)
  for (const [name, field] of Object.entries(properties ?? {}))
    found.push(...findUnbounded(field, `${path}.${name}`))
  for (const choice of (anyOf as unknown[]) ?? []) found.push(...findUnbounded(choice, path))
  return [...found, ...findUnbounded(items, `${path}[]`)]
}
