/** Alert rules, runbook and dashboard of `docs/monitoring` agree with each other and with the table of metrics. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseYaml } from '../../src/platform/yaml.ts'

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[]
  }[]
}

interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string
      readonly exp_alerts: readonly unknown[]
    }[]
  }[]
}

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
}

const FOLDER = new URL('../../docs/monitoring/', import.meta.url)
const run = promisify(execFile)

test('every alert rule fires and stays quiet as promtool expects', async () => {
  const path = (name: string) => fileURLToPath(new URL(name, FOLDER))
  await run('promtool', ['check', 'rules', path('alerts.yml')])
  await run('promtool', ['test', 'rules', path('alerts.test.yml')])
  const { tests } = parseYaml(await read('alerts.test.yml'), 0) as RuleTests
  const fired = tests
    .flatMap((it) => it.alert_rule_test)
    .filter((it) => it.exp_alerts.length > 0)
    .map((it) => it.alertname)
  assert.deepEqual([...new Set(fired)].toSorted(), (await listAlerts()).toSorted())
})

test('each alert has an entry in the runbook, and each entry an alert', async () => {
  const entries = [...(await read('runbook.md')).matchAll(/^## (\S+)$/gm)].map(([, name]) => name)
  assert.deepEqual(entries.toSorted(), (await listAlerts()).toSorted())
})

test('alert rules, dashboard and runbook name metrics of the table', async () => {
  const table = await read('metrics.md')
  const known = new Set(
    [...table.matchAll(/^\| `(\w+)(?:\{[^`]*\})?` \| (\w+) \|/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? ['', '_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  )
  assert.ok(known.size > 0)
  const { panels } = JSON.parse(await read('dashboard.json')) as Dashboard
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  assert.ok(queries.length > 0)
  const texts = [...queries, ...(await listRules()).map(({ expr }) => expr), await read('runbook.md')]
  const named = texts.flatMap((text) => text.match(/\b(?:bloomery|process)_[a-z]\w+/g) ?? [])
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  )
})

async function listRules() {
  const { groups } = parseYaml(await read('alerts.yml'), 0) as Rules
  return groups.flatMap(({ rules }) => rules)
}

async function listAlerts(): Promise<string[]> {
  return (await listRules()).map(({ alert }) => alert)
}

function read(name: string): Promise<string> {
  return readFile(new URL(name, FOLDER), 'utf8')
}
