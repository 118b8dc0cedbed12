/** Shared fetch answers: within a byte budget, with a full disk, and complete or failed for all readers. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type FileHandle, mkdtemp, open, readdir, readlink, rm, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { GitClient, startForge } from '#testing'
import { pktText } from '../protocol/pkt-line.ts'
import type { StorageId } from '../tables.ts'
import { AnswerCache, type Production } from './answer-cache.ts'

const KIB = 1024
const MIB = 1024 * KIB

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bloomery-answers-'))
})
after(() => rm(folder, { recursive: true }))

const cacheOf = (bytesMax: number) => new AnswerCache(() => folder, bytesMax)

function produced(bytes: number): Production & { isKilled: boolean } {
  const output = Readable.from([Buffer.alloc(bytes, 'x')], { objectMode: false })
  const production = {
    output,
    done: Promise.resolve(),
    isKilled: false,
    kill() {
      production.isKilled = true
      output.destroy()
    },
  }
  return production
}

test('the key depends on wants and arguments, not on their order or repetition', () => {
  const key = (...args: string[]) => AnswerCache.keyOf(1 as StorageId, 'a stamp', args)
  assert.equal(key('want a', 'want b', 'done'), key('want b', 'want a', 'want b', 'done'))
  assert.notEqual(key('want a', 'done'), key('want a', 'deepen 1', 'done'))
  assert.notEqual(
    AnswerCache.keyOf(1 as StorageId, 'a stamp', ['want a']),
    AnswerCache.keyOf(1 as StorageId, 'another', ['want a']),
  )
})

test('without room no answer is started; answers without readers are dropped to make room', async () => {
  const answers = cacheOf(100 * KIB)
  const first = answers.begin('first', 80 * KIB, () => produced(60 * KIB)) ?? assert.fail()
  assert.equal(
    answers.begin('second', 40 * KIB, () => assert.fail('begun without room')),
    undefined,
  )
  assert.equal((await buffer(first)).length, 60 * KIB)
  assert.equal(answers.bytes, 60 * KIB, 'only what it takes is set aside')
  if (!first.closed) await once(first, 'close')
  const second = answers.begin('second', 80 * KIB, () => produced(80 * KIB)) ?? assert.fail()
  assert.equal(answers.find('first'), undefined)
  assert.equal((await buffer(second)).length, 80 * KIB)
})

test('an answer larger than the budget fails for all its readers and is not shared again', async () => {
  const answers = cacheOf(100 * KIB)
  const production = produced(200 * KIB)
  const reader = answers.begin('large', 10 * KIB, () => production) ?? assert.fail()
  const other = answers.find('large') ?? assert.fail()
  await Promise.all([reader, other].map((it) => assert.rejects(buffer(it), { kind: 'unavailable' })))
  assert.ok(production.isKilled)
  assert.equal(
    answers.begin('large', 10 * KIB, () => assert.fail('shared again')),
    undefined,
  )
  assert.equal(answers.bytes, 0)
})

test('a full disk fails every reader, and later answers are not shared', async () => {
  await withWrites(
    async function (this: FileHandle, chunk: Buffer, offset: number, length: number, position: number) {
      if (position + length > 64 * KIB) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      return { bytesWritten: length, buffer: chunk, offset }
    },
    async () => {
      const answers = cacheOf(MIB)
      const reader = answers.begin('first', 100 * KIB, () => produced(100 * KIB)) ?? assert.fail()
      await assert.rejects(buffer(reader), { code: 'ENOSPC' })
      assert.equal(
        answers.begin('other', 1, () => assert.fail('shared')),
        undefined,
      )
    },
  )
})

test('a short write is continued with the remaining bytes', async () => {
  const prototype = await prototypeOfFiles()
  const write = prototype.write
  await withWrites(
    function (this: FileHandle, chunk: Buffer, offset: number, length: number, position: number) {
      return Reflect.apply(write, this, [chunk, offset, Math.min(length, 10 * KIB), position])
    },
    async () => {
      const reader = cacheOf(MIB).begin('slow', 1, () => produced(100 * KIB)) ?? assert.fail()
      assert.ok((await buffer(reader)).equals(Buffer.alloc(100 * KIB, 'x')))
    },
  )
})

test('a file shorter than what was written fails its readers', async () => {
  await withWrites(
    async (chunk: Buffer, _offset: number, length: number) => ({ bytesWritten: length, buffer: chunk }),
    async () => {
      const output = new PassThrough()
      const production = { output, done: Promise.resolve(), kill: () => output.destroy() }
      const reader = cacheOf(MIB).begin('short', 1, () => production) ?? assert.fail()
      output.write('something')
      await assert.rejects(buffer(reader), /shorter/)
      output.end()
    },
  )
})

async function prototypeOfFiles(): Promise<FileHandle> {
  await using file = await open(join(folder, 'any'), 'w')
  return Object.getPrototypeOf(file)
}

async function withWrites(write: unknown, work: () => Promise<void>): Promise<void> {
  const mocked = mock.method(await prototypeOfFiles(), 'write', write as FileHandle['write'])
  try {
    await work()
  } finally {
    mocked.mock.restore()
  }
}

const CLONES = 12
const CLONE_BYTES = 8 * MIB
const BUDGET = 24 * MIB

test('clones whose clients read nothing stay within the cache budget', async () => {
  await using forge = await startForge({
    config: { 'log.level': 'silent', 'git.cache_bytes_max': BUDGET },
  })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using ann = await GitClient.open(forge, 'ann', 'ann/site')
  const tip = await ann.commit('noise', randomBytes(CLONE_BYTES / 2).toString('latin1'))
  await ann.ok('push', '--quiet', 'origin', 'main')
  const ask = (i: number): Socket => {
    const args = [`want ${tip}\n`, ...(i % 2 === 0 ? [] : [`filter blob:limit=${100 + i}m\n`]), 'done\n']
    const body = `${pktText('command=fetch\n')}${pktText(`agent=x${i}\n`)}0001${args.map(pktText).join('')}0000`
    const socket = connect(Number(new URL(forge.base).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `POST /ann/site.git/git-upload-pack HTTP/1.1\r\nhost: x\r\ngit-protocol: version=2\r\n` +
        `content-type: application/x-git-upload-pack-request\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    return socket
  }
  const sockets = Array.from({ length: CLONES }, (_, i) => ask(i))
  const signal = AbortSignal.timeout(60_000)
  await Promise.all(sockets.map((it) => once(it, 'readable', { signal })))
  let most = 0
  for (let i = 0; i < 20; i++, await sleep(100)) most = Math.max(most, await namelessBytes())
  assert.ok(
    forge.world.cache.answers.counts.shared >= CLONES / 2 - 1,
    'words of the client make no difference',
  )
  for (const socket of sockets) socket.destroy()
  assert.ok(most > 0 && most <= BUDGET / 2, `${most} bytes are held in files without a name`)
})

/** Bytes in unlinked files that this process holds open. */
async function namelessBytes(): Promise<number> {
  let bytes = 0
  for (const descriptor of await readdir('/proc/self/fd')) {
    const path = `/proc/self/fd/${descriptor}`
    const target = await readlink(path).catch(() => '')
    if (target.includes('answer-') && target.endsWith(' (deleted)'))
      bytes += (await stat(path).catch(() => ({ size: 0 }))).size
  }
  return bytes
}
