/** Comparison of results with the list of decided deviations and the listed refusals. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DECIDED } from './decided.ts'
import { lineOf, readDemands } from './demands.ts'
import { findDeviations, findIdle, findOddRefusals, findRepeated, findUnrecorded, outcomeOf } from './held.ts'
import { KINDS } from './kit/refusals.ts'

const fault = 'wanted 200, got 500'
const unknown = { operation: 'GET /admin/cron', demand: 'A demand that no decision is about.' }

test('a deviation is decided only when it is on the list', () => {
  for (const { operation, demand } of DECIDED) {
    assert.equal(outcomeOf({ operation, demand, fault }), 'decided')
    assert.equal(outcomeOf({ operation, demand, fault: undefined }), 'met')
  }
  assert.equal(outcomeOf({ ...unknown, fault }), 'deviates')
  assert.equal(findDeviations([{ ...unknown, fault }, ...DECIDED.map((it) => ({ ...it, fault }))]).length, 1)
})

test('a list entry is idle when the forge meets the demand, or when it is not checked', () => {
  const deviating = DECIDED.map((it) => ({ ...it, fault }))
  assert.deepEqual(findIdle(deviating), [])
  const [first] = DECIDED
  assert.ok(first)
  const key = `${first.operation}: ${first.demand}`
  assert.deepEqual(findIdle([{ ...first, fault: undefined }, ...deviating.slice(1)]), [key])
  assert.deepEqual(findIdle(deviating.slice(1)), [key])
})

test('a duplicate demand is found', () => {
  const question = { ...unknown, fault: undefined }
  assert.deepEqual(findRepeated([question]), [])
  assert.equal(findRepeated([question, question]).length, 1)
})

test('demands checked but not recorded, and recorded but not checked, are found', () => {
  const other = { operation: 'GET /admin/cron', demand: 'Another demand.' }
  assert.deepEqual(findUnrecorded([unknown], [unknown]), [])
  assert.deepEqual(findUnrecorded([unknown], [other]), [
    `not asked: ${lineOf(other)}`,
    `not recorded: ${lineOf(unknown)}`,
  ])
})

test('the record holds demands of all 42 operations, each once and in one line', () => {
  const demands = readDemands()
  const operations = new Set(demands.map(({ operation }) => operation))
  assert.deepEqual(
    Object.keys(KINDS).filter((it) => !operations.has(it)),
    [],
  )
  assert.equal(new Set(demands.map(lineOf)).size, demands.length)
  assert.deepEqual(
    demands.filter(({ demand }) => !demand.endsWith('.')),
    [],
  )
})

test('all 42 operations list their refusals, and an unlisted one is found', () => {
  assert.equal(Object.keys(KINDS).length, 42)
  const seen = (...statuses: number[]) => new Map(statuses.map((it) => [it, `→ ${it}`]))
  const listed = seen(200, 400, 401, 403, 404, 409)
  assert.deepEqual(findOddRefusals([['POST /orgs/{org}/repos', listed]]), [])
  assert.deepEqual(findOddRefusals([['POST /orgs/{org}/repos', seen(422)]]), [
    'POST /orgs/{org}/repos\n  → 422',
  ])
  assert.deepEqual(findOddRefusals([['GET /admin/cron', seen(404)]]), ['GET /admin/cron\n  → 404'])
})
