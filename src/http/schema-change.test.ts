/** A migration that expands tables while nodes of the previous version serve is invisible to clients. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Method } from '#platform/rest'
import { type Forge, startForge } from '#testing'

const CALLERS = 4
/** How often each caller repeats all requests before and between the changes. */
const ROUNDS_MIN = 3

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })
})
after(() => forge[Symbol.asyncDispose]())

/** Reads and writes that touch most tables of a request. */
const WORK: readonly (readonly [Method, string, object?])[] = [
  ['GET', '/user'],
  ['GET', '/repos/ann/anvil'],
  ['PATCH', '/repos/ann/anvil', { description: 'hot' }],
  ['PUT', '/user/starred/ann/anvil'],
  ['GET', '/repos/search?limit=10'],
  ['GET', '/repos/ann/anvil/labels'],
  ['GET', '/repos/ann/anvil/branches'],
  ['PUT', '/repos/ann/anvil/subscription'],
  ['GET', '/repos/ann/anvil/activities/feeds'],
]

test('columns added and dropped under load do not change any answer', async () => {
  const rounds = Array.from({ length: CALLERS }, () => 0)
  const failures: string[] = []
  let isOver = false
  const calling = rounds.map(async (_, caller) => {
    for (; !isOver; rounds[caller] = (rounds[caller] ?? 0) + 1)
      for (const [method, path, body] of WORK) {
        const { status, body: answer } = await forge.call('ann', method, path, body)
        if (status >= 300) failures.push(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
      }
  })
  const untilWorn = async () => {
    const wanted = rounds.map((round) => round + ROUNDS_MIN)
    while (rounds.some((round, caller) => round < (wanted[caller] ?? 0)) && failures.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(forge.db)
  const names = tables.map(({ name }) => name).filter((name) => name !== 'schema_migration')
  assert.ok(names.includes('repository') && names.includes('account'))
  await untilWorn()
  for (const name of names)
    await sql`alter table ${sql.table(name)} add column widened int default 7`.execute(forge.db)
  await untilWorn()
  for (const name of names) await sql`alter table ${sql.table(name)} drop column widened`.execute(forge.db)
  await untilWorn()
  isOver = true
  await Promise.all(calling)
  assert.deepEqual(failures, [])
})
