/** Scopes: what they allow, and their normal form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '#platform/problem'
import type { Method } from '#platform/rest'
import { CATEGORIES, exceeds, normalizeScopes, scopeRefusal } from './scopes.ts'

const WRITES: Method[] = ['POST', 'PUT', 'PATCH', 'DELETE']
const everyScope = ['all', 'public-only', ...CATEGORIES.flatMap((it) => [`read:${it}`, `write:${it}`])]

for (const category of CATEGORIES) {
  const others = CATEGORIES.filter((it) => it !== category)
  for (const { name, scopes, reads, writes } of [
    { name: `read:${category}`, scopes: [`read:${category}`], reads: true, writes: false },
    { name: `write:${category}`, scopes: [`write:${category}`], reads: true, writes: true },
    { name: 'all', scopes: ['all'], reads: true, writes: true },
    { name: 'only the public mark', scopes: ['public-only'], reads: false, writes: false },
    { name: 'all with the mark', scopes: ['public-only', 'all'], reads: true, writes: true },
    {
      name: `read:${category} with the mark`,
      scopes: ['public-only', `read:${category}`],
      reads: true,
      writes: false,
    },
    { name: 'every other scope', scopes: others.map((it) => `write:${it}`), reads: false, writes: false },
    { name: 'none', scopes: [], reads: false, writes: false },
  ]) {
    test(`for ${category}, a token with ${name} ${reads ? 'reads' : 'does not read'} and ${writes ? 'writes' : 'does not write'}`, () => {
      const isAllowed = (method: Method) => scopeRefusal(scopes, { method, scopes: [category] }) === undefined
      assert.equal(isAllowed('GET'), reads)
      for (const method of WRITES) assert.equal(isAllowed(method), writes, method)
    })
  }
}

test('a route without scope categories accepts every token', () => {
  assert.equal(scopeRefusal([], { method: 'POST', scopes: [] }), undefined)
  assert.equal(scopeRefusal(['public-only'], { method: 'DELETE', scopes: [] }), undefined)
})

test('a route with two categories needs both, and the refusal names the missing one', () => {
  const needs = { method: 'POST' as const, scopes: ['organization', 'repository'] }
  assert.match(scopeRefusal(['write:organization'], needs) ?? '', /write:repository/)
  assert.match(scopeRefusal(['write:repository', 'read:organization'], needs) ?? '', /write:organization/)
  assert.equal(scopeRefusal(['write:repository', 'write:organization'], needs), undefined)
})

for (const { given, normal } of [
  { given: ['all'], normal: ['all'] },
  { given: ['public-only'], normal: ['public-only'] },
  { given: ['read:repository', 'public-only'], normal: ['public-only', 'read:repository'] },
  { given: ['write:user', 'read:repository', 'read:user'], normal: ['read:repository', 'write:user'] },
  { given: ['read:user', 'write:repository'], normal: ['write:repository', 'read:user'] },
  { given: ['read:issue', 'read:issue'], normal: ['read:issue'] },
  { given: CATEGORIES.map((it) => `write:${it}`), normal: ['all'] },
  { given: ['all', 'read:user', 'public-only'], normal: ['public-only', 'all'] },
  {
    given: CATEGORIES.slice(1).map((it) => `write:${it}`),
    normal: CATEGORIES.slice(1).map((it) => `write:${it}`),
  },
]) {
  test(`the normal form of ${given.join(',')} is ${normal.join(',')}`, () => {
    assert.deepEqual(normalizeScopes(given), normal)
  })
}

for (const { name, given } of [
  { name: 'no scope', given: [] },
  { name: 'an empty scope', given: [''] },
  { name: 'an unknown category', given: ['read:everything'] },
  { name: 'an unknown scope beside a known one', given: ['read:user', 'nonsense'] },
  { name: 'a scope in capitals', given: ['READ:USER'] },
  { name: 'a scope with a level that does not exist', given: ['delete:user'] },
]) {
  test(`${name} is malformed`, () => {
    assert.throws(
      () => normalizeScopes(given),
      (error) => error instanceof Problem && error.kind === 'malformed',
    )
  })
}

test('the normal form allows exactly what was given, and is unique', () => {
  const some = fc.array(fc.constantFrom(...everyScope), { minLength: 1, maxLength: 25 })
  fc.assert(
    fc.property(some, (given) => {
      const normal = normalizeScopes(given)
      assert.deepEqual(normalizeScopes(normal), normal)
      assert.deepEqual(normalizeScopes(given.toReversed()), normal)
      assert.equal(normal.includes('public-only'), given.includes('public-only'))
      for (const method of ['GET', 'POST'] as const)
        for (const category of CATEGORIES) {
          const needs = { method, scopes: [category] }
          assert.equal(scopeRefusal(normal, needs) === undefined, scopeRefusal(given, needs) === undefined)
        }
    }),
  )
})

for (const { own, wanted, isMore } of [
  { own: ['all'], wanted: ['all'], isMore: false },
  { own: ['all'], wanted: ['public-only', 'write:admin'], isMore: false },
  { own: ['write:user'], wanted: ['read:user'], isMore: false },
  { own: ['write:user'], wanted: ['public-only', 'write:user'], isMore: false },
  { own: ['read:user'], wanted: ['write:user'], isMore: true },
  { own: ['write:user'], wanted: ['write:user', 'read:issue'], isMore: true },
  { own: ['write:user'], wanted: ['all'], isMore: true },
  { own: ['public-only', 'all'], wanted: ['all'], isMore: true },
  { own: ['public-only', 'all'], wanted: ['public-only', 'all'], isMore: false },
]) {
  test(`${wanted.join(',')} ${isMore ? 'is more than' : 'is within'} ${own.join(',')}`, () => {
    assert.equal(exceeds(wanted, own), isMore)
  })
}
