/** `bloomery doctor repository`, run as an operator would, next to a running forge. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Config, searchPath, settingVariable } from '#platform/config'
import { type Forge, startForge } from '#testing'
import { packKey } from '../packs/keys.ts'
import { listPacks } from './packs/pack-rows.ts'
import { grow } from './testing.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))
const SETTINGS = ['database.url', 'store.folder', 'git.cache_folder', 'secrets.keys'] as const

test('doctor verifies one repository or all of them, and reports missing packs', {
  timeout: 120_000,
}, async () => {
  await using forge = await startForge()
  await using sound = await grow(forge.ctx)
  await using broken = await grow(forge.ctx)
  await sound.push()
  await broken.push()
  const path = await sound.git('rev-parse', '--absolute-git-dir')
  const [pack] = await listPacks(forge.db, broken.id)
  assert.ok(pack)
  await rm(join(forge.ctx.config['store.folder'], packKey(pack, 'pack')))

  const all = await doctor(forge, '--all')
  assert.equal(all.code, 1)
  assert.deepEqual(all.lines, [
    `ok      storage ${sound.id}: 1 packs, 1 refs`,
    `error   storage ${broken.id}: pack ${pack.digest} is missing from the object store`,
  ])
  const one = await doctor(forge, String(sound.id))
  assert.deepEqual(one, { code: 0, lines: [`ok      storage ${sound.id}: 1 packs, 1 refs`] })
  assert.ok(existsSync(join(path, 'config')), 'the cache of the node was left alone')
})

test('doctor accepts repository names, and fails for unknown ones', {
  timeout: 120_000,
}, async () => {
  await using forge = await startForge()
  await forge.person('Ada')
  await forge.call('Ada', 'POST', '/user/repos', { name: 'Site' })
  assert.deepEqual(await doctor(forge, 'ada/site'), {
    code: 0,
    lines: ['ok      Ada/Site (storage 1): 0 packs, 0 refs'],
  })
  assert.equal((await doctor(forge, 'ada/diary')).code, 1)
  assert.equal((await doctor(forge)).code, 1, 'one must be named, or all')
  assert.equal((await doctor(forge, '99')).code, 1)
})

async function doctor(forge: Forge, ...args: readonly string[]): Promise<{ code: number; lines: string[] }> {
  const config: Config = forge.ctx.config
  // Whatever there is to tell beside the report is a plain line, also of a bus that is away.
  const env: Record<string, string> = { ...searchPath(), BLOOMERY_BUS_NATS_URL: 'nats://127.0.0.1:1' }
  for (const name of SETTINGS) env[settingVariable(name)] = String(config[name])
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [MAIN, 'doctor', 'repository', ...args], { env }, (error, stdout, stderr) => {
      if (stderr.startsWith('{')) return reject(new Error(stderr))
      const lines = stdout.split('\n').filter((line) => line !== '')
      resolve({ code: error === null ? 0 : Number(error.code), lines })
    })
  })
}
