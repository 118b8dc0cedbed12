/** The database is saved by whatever address the forge itself can use. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { dumpDatabase } from './dump.ts'

let forge: Forge
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-dump-test-'))
  forge = await startForge()
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

for (const [what, from, to] of [
  ['a host', '', ''],
  ['no host, but a socket', '@localhost/', '@/'],
  ['a password', '@localhost/', ':ham%20mer@localhost/'],
  ['a password and no host', '@localhost/', ':hammer@/'],
] as const)
  test(`an address with ${what}`, async () => {
    const url = forge.world.config['database.url']
    assert.ok(url.includes(from))
    const file = join(folder, what)
    await dumpDatabase(url.replace(from, to), file)
    assert.ok((await stat(file)).size > 0)
  })
