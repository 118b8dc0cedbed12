/** Claims on the cache folder: each running process locks one folder for its lifetime. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { startForge } from '#testing'
import { claimCacheFolder, dropCacheFolders } from './cache-folder.ts'

const MODULE = new URL('cache-folder.ts', import.meta.url).href
let parent: string
let folder: string
before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'bloomery-places-'))
})
beforeEach(async () => {
  folder = join(await mkdtemp(join(parent, 'test-')), 'cache')
})
after(() => rm(parent, { recursive: true, force: true }))

test('a second process claims another folder, and the first folder is free again after its owner closes', async () => {
  const first = await claimCacheFolder(folder)
  const second = await claimCacheFolder(folder)
  assert.equal(first.folder, folder)
  assert.equal(second.folder, join(folder, 'process-2'))
  await first.close()
  const third = await claimCacheFolder(folder)
  assert.equal(third.folder, folder)
  await second.close()
  await third.close()
})

test('a killed process releases its cache folder', async () => {
  const program = `const { claimCacheFolder } = await import(${JSON.stringify(MODULE)})
    const place = await claimCacheFolder(${JSON.stringify(folder)})
    process.stdout.write(place.folder)
    setInterval(() => place, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(holder.stdout, 'data')) as [Buffer]
  assert.equal(said.toString(), folder)
  const meanwhile = await claimCacheFolder(folder)
  assert.notEqual(meanwhile.folder, folder)
  await meanwhile.close()
  const gone = once(holder, 'exit')
  holder.kill('SIGKILL')
  await gone
  const next = await claimCacheFolder(folder)
  assert.equal(next.folder, folder)
  await next.close()
})

test('deleting the contents of a cache folder does not release its lock', async () => {
  const first = await claimCacheFolder(folder)
  await writeFile(join(folder, 'file'), '')
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
  const second = await claimCacheFolder(folder)
  assert.notEqual(second.folder, first.folder)
  await first.close()
  await second.close()
})

test('dropCacheFolders removes surplus folders except locked ones', async () => {
  const places = [
    await claimCacheFolder(folder),
    await claimCacheFolder(folder),
    await claimCacheFolder(folder),
  ]
  await places[2]?.close()
  await dropCacheFolders(folder, 1)
  assert.deepEqual(await readdir(folder), ['process-2'])
  for (const place of places.slice(0, 2)) await place.close()
  await dropCacheFolders(folder, 1)
  assert.deepEqual(await readdir(folder), [])
})

test('a second forge with the same settings does not touch the cache of the first', async () => {
  const config = { 'git.cache_folder': folder }
  await using first = await startForge({ config })
  const file = join(first.ctx.cache.scratch, 'under-way')
  await writeFile(file, 'x')
  {
    await using second = await startForge({ config })
    assert.notEqual(second.ctx.cache.scratch, first.ctx.cache.scratch)
  }
  assert.ok((await stat(file)).isFile())
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
})
