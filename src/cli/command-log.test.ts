/** Commands tell people what went wrong beside them, in plain lines. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { searchPath, settingVariable } from '#platform/config'
import { startForge } from '#testing'
import { findFreePorts } from './free-ports.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

test('a command prints its result, and warnings as plain lines', async () => {
  await using forge = await startForge()
  const { config } = forge.world
  const settings = {
    'database.url': config['database.url'],
    'store.folder': config['store.folder'],
    'secrets.keys': config['secrets.keys'],
    // Nobody listens there, which the forge survives with a warning.
    'bus.nats_url': `nats://127.0.0.1:${await findFreePorts(1)}`,
  }
  const environment = Object.entries(settings).map(([name, value]) => [settingVariable(name), value])
  const env = { ...searchPath(), ...Object.fromEntries(environment) }
  const words = ['admin', 'user', 'create', '--username', 'ann', '--email', 'ann@example.test']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, ...words], { env })
  assert.doesNotMatch(stdout + stderr, /^\{/m)
  assert.match(stderr, /^warn: .*bus/m)
  assert.match(stdout, /^\w{24}\n$/)
})
