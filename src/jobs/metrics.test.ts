/** Metrics of the queue, and the alert rules of `docs/alerts.yml` that use them. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { transact } from '#platform/context'
import { addJobs } from '#platform/queue'
import { parseYaml } from '#platform/yaml'
import { startForge } from '#testing'
import { observeQueue } from './metrics.ts'

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[]
}

test('a waiting job is counted with its age, and every alert rule uses an existing metric', async () => {
  await using forge = await startForge()
  observeQueue(forge.world)
  await transact(forge.ctx, (ctx) => addJobs(ctx, [{ kind: 'errand', payload: {}, attemptsMax: 1 }]))
  const { body } = await forge.call(null, 'GET', '//metrics')
  assert.match(body, /^bloomery_jobs\{kind="errand",state="waiting",.*\} 1$/m)
  assert.match(body, /^bloomery_job_oldest_seconds\{kind="errand",.*\} \d/m)
  const file = new URL('../../docs/alerts.yml', import.meta.url)
  const { groups } = parseYaml(await readFile(file, 'utf8'), 0) as Rules
  const names = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => expr.match(/bloomery_\w+/g) ?? []))
  assert.ok(names.length > 0)
  for (const name of names) assert.ok(body.includes(`\n${name}{`), `no node has ${name}`)
})
