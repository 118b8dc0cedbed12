/** Promises of the disk driver alone: no partial objects, no leftovers, no S3 client in memory. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ObjectStore, openObjectStore } from '#platform/object-store'

const DOOR = new URL('./index.ts', import.meta.url).href
const HOUR_S = 60 * 60

let folder: string
let store: ObjectStore

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'object-store-disk-'))
  store = await openObjectStore({ driver: 'disk', folder })
})

after(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('a killed writer leaves no object, and its key can be created', {
  timeout: 120_000,
}, async () => {
  const writer = runModule(`
    import { Readable } from 'node:stream'
    const { openObjectStore } = await import(${JSON.stringify(DOOR)})
    const store = await openObjectStore({ driver: 'disk', folder: ${JSON.stringify(folder)} })
    const body = new Readable({ read() {} })
    body.push(Buffer.alloc(100000, 1))
    setInterval(() => {}, 1000)
    await store.create('killed/object', body, { bytes: 200000 })
  `)
  const ended = once(writer, 'exit')
  const deadline = performance.now() + 60_000
  try {
    while ((await sizesOf(join(folder, '.tmp')))[0] !== 100_000) {
      assert.ok(performance.now() < deadline, 'the writer never wrote its half')
      await sleep(20)
    }
  } finally {
    writer.kill('SIGKILL')
    await ended
  }

  assert.equal(await store.stat('killed/object'), undefined)
  assert.deepEqual(await Array.fromAsync(store.list('')), [])
  assert.equal(await store.create('killed/object', Buffer.from('whole'), { bytes: 5 }), 'created')
  assert.equal((await readdir(join(folder, '.tmp'))).length, 1)
})

test('an unread body holds no open file, and a partly read body closes its file', async () => {
  await store.create('unread/object', Buffer.alloc(2_000_000), { bytes: 2_000_000 })
  const unread = await Promise.all(Array.from({ length: 5 }, () => store.read('unread/object')))
  assert.deepEqual(await openFiles('unread'), [])
  const [left, aborted] = unread
  assert.ok(left && aborted)
  for await (const _ of left.body) break
  aborted.body.destroy()
  // The stream closes its file shortly after its reader is gone.
  for (let i = 0; i < 100 && (await openFiles('unread')).length > 0; i++) await sleep(20)
  assert.deepEqual(await openFiles('unread'), [])
})

/** Files below a folder of the store that this process has open. */
async function openFiles(name: string): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd')
  const links = await Promise.all(numbers.map((it) => readlink(`/proc/self/fd/${it}`).catch(() => '')))
  return links.filter((link) => link.startsWith(join(folder, name)))
}

test('opening the store deletes temporary files older than a day and keeps younger ones', async () => {
  const temporary = join(folder, '.tmp')
  for (const name of await readdir(temporary)) await rm(join(temporary, name))
  for (const { name, hours } of [
    { name: 'dead', hours: 25 },
    { name: 'alive', hours: 23 },
    { name: 'new', hours: 0 },
  ]) {
    await writeFile(join(temporary, name), 'half')
    const { mtimeMs } = await stat(join(temporary, name))
    const then = mtimeMs / 1000 - hours * HOUR_S
    await utimes(join(temporary, name), then, then)
  }
  await openObjectStore({ driver: 'disk', folder })
  assert.deepEqual((await readdir(temporary)).sort(), ['alive', 'new'])
  await rm(join(temporary, 'alive'))
  await rm(join(temporary, 'new'))
})

test('no temporary file outlives its create call, whatever the outcome', async () => {
  const failing = Readable.from(
    (async function* () {
      yield Buffer.alloc(10)
      throw new Error('broken off')
    })(),
  )
  await store.create('kept/a', Buffer.from('abc'), { bytes: 3 })
  await store.create('kept/a', Buffer.from('abc'), { bytes: 3 })
  await assert.rejects(store.create('kept/b', Buffer.from('abc'), { bytes: 2 }))
  await assert.rejects(store.create('kept/c', failing, { bytes: 20 }), /broken off/)
  await assert.rejects(store.create('kept', Buffer.from('abc'), { bytes: 3 }), { kind: 'conflict' })
  assert.deepEqual(await readdir(join(folder, '.tmp')), [])
})

test("objects and folders are readable by the server's user only", async () => {
  await store.create('private/deep/object', Buffer.from('abc'), { bytes: 3 })
  assert.equal((await stat(join(folder, 'private/deep/object'))).mode & 0o777, 0o600)
  assert.equal((await stat(join(folder, 'private/deep'))).mode & 0o777, 0o700)
  assert.equal((await stat(join(folder, 'private'))).mode & 0o777, 0o700)
})

test('a folder removed under a running server is created again', async () => {
  await store.create('removed/deep/one', Buffer.from('abc'), { bytes: 3 })
  await rm(join(folder, 'removed'), { recursive: true })
  assert.equal(await store.create('removed/deep/two', Buffer.from('abc'), { bytes: 3 }), 'created')
  assert.deepEqual(await store.stat('removed/deep/two'), { bytes: 3 })
})

test('files that are not objects are not listed', async () => {
  await writeFile(join(folder, 'private', 'not a key'), 'x')
  await writeFile(join(folder, 'private', '.hidden'), 'x')
  const keys = await Array.fromAsync(store.list('private/'), ({ key }) => key)
  assert.deepEqual(keys, ['private/deep/object'])
})

test('a folder that cannot be created is reported when the store is opened', async () => {
  await writeFile(join(folder, 'a-file'), 'x')
  await assert.rejects(
    openObjectStore({ driver: 'disk', folder: join(folder, 'a-file', 'below') }),
    /ENOTDIR/,
  )
})

test('a disk store never loads the S3 client', { timeout: 120_000 }, async () => {
  const child = runModule(`
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context) } })
    const { openObjectStore, probeObjectStore } = await import(${JSON.stringify(DOOR)})
    const store = await openObjectStore({ driver: 'disk', folder: ${JSON.stringify(folder)} })
    await probeObjectStore(store, { rounds: 1 })
    process.stdout.write(JSON.stringify(loaded))
  `)
  assert.ok(child.stdout)
  const loaded: string[] = JSON.parse(await text(child.stdout))
  assert.ok(loaded.includes('./disk.ts'))
  assert.deepEqual(
    loaded.filter((name) => /aws|smithy|s3/.test(name)),
    [],
  )
})

function runModule(source: string): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function sizesOf(path: string): Promise<number[]> {
  const names = await readdir(path)
  return Promise.all(
    names.map(async (name) => (await stat(join(path, name)).catch(() => undefined))?.size ?? 0),
  )
}
