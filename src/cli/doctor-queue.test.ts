/** What `bloomery doctor` reports about the queue. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { searchPath, settingVariable } from '#platform/config'
import { transact } from '#platform/context'
import { addJobs } from '#platform/queue'
import { startForge } from '#testing'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

test('doctor names waiting jobs of a kind that this version does not know', async () => {
  await using forge = await startForge()
  const job = { kind: 'of-tomorrow', payload: {}, attemptsMax: 1 }
  await transact(forge.ctx, (ctx) => addJobs(ctx, [job]))
  const env = {
    ...searchPath(),
    [settingVariable('database.url')]: forge.world.config['database.url'],
    [settingVariable('store.folder')]: forge.world.config['store.folder'],
  }
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, [MAIN, 'doctor'], { env }, (_error, stdout) => resolve(stdout)),
  )
  assert.match(output, /^error +queue: jobs of kinds that this version does not know wait \(of-tomorrow\)/m)
})
