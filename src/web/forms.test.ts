/** Forms of all pages: what they do is what the interface does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { internalOperations, routes } from '#cli'
import { web } from './index.ts'

/** What browsers alone do, and what the command line does otherwise; the reference's interface has no operation for any of it. */
const OWN = new Set(['web:history', 'web:look', 'web:pick', 'web:theme', 'web:viewed', 'web:views'])

test('every form names operations that there are, or something that is about the browser itself', () => {
  const operations = new Set([...routes, ...internalOperations].map(({ operationId }) => operationId))
  const unknown = web.pages.flatMap(({ path, forms }) =>
    Object.entries(forms).flatMap(([name, { does }]) =>
      does.filter((it) => !operations.has(it) && !OWN.has(it)).map((it) => `${path} ${name}: ${it}`),
    ),
  )
  assert.deepEqual(unknown, [])
  const nothing = web.pages.flatMap(({ path, forms }) =>
    Object.entries(forms)
      .filter(([, { does }]) => does.length === 0)
      .map(([name]) => `${path} ${name}`),
  )
  assert.deepEqual(nothing, [])
})

test('no two pages have one address', () => {
  const paths = web.pages.map(({ path }) => path.replaceAll(/[:*]\w+/g, ':'))
  assert.deepEqual(
    paths.filter((path, i) => paths.indexOf(path) !== i),
    [],
  )
})
