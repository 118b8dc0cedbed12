/** Archives that exceed the limits of plain ZIP, read by Python's zipfile. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { type ZipEntry, zip } from './zip.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'bloomery-zip-'))
after(() => rm(folder, { recursive: true }))

const GIB_4 = 4 * 1024 ** 3
const ZEROS = Buffer.alloc(1024 ** 2)

test('an archive of 65,536 entries contains all of them and states their number', async () => {
  const entries = Array.from({ length: 65_536 }, (_, i) => text(`folder/${i}.txt`, `${i}`))
  const file = await write('many.zip', entries)
  const found = await read(file, "[len(z.infolist()), z.read('folder/65535.txt').decode()]")
  assert.deepEqual(found, [65_536, '65535'])
  // Python counts the entries itself, while unzip and Go trust the end records: 56 bytes of ZIP64, a locator of 20,
  // and 22 of plain ZIP.
  const end = (await readFile(file)).subarray(-98)
  assert.deepEqual([end.readBigUInt64LE(24), end.readBigUInt64LE(32)], [65_536n, 65_536n])
  assert.deepEqual([end.readUInt16LE(84), end.readUInt16LE(86)], [0xffff, 0xffff])
})

test('an entry of more than 4 GiB is readable, and so is the one after it', async () => {
  const zeros = { name: 'zeros', open: async () => Readable.from(many(ZEROS, 4_097)) }
  const file = await write('large.zip', [text('first', 'before'), zeros, text('last', 'behind')])
  assert.deepEqual(await read(file, '[[i.filename, i.file_size] for i in z.infolist()]'), [
    ['first', 6],
    ['zeros', GIB_4 + ZEROS.length],
    ['last', 6],
  ])
  assert.deepEqual(await read(file, "[z.read(name).decode() for name in ('first', 'last')]"), [
    'before',
    'behind',
  ])
  assert.deepEqual(await read(file, "z.open('zeros').read(3).hex()"), '000000')
})

test('an archive that needs no ZIP64 records has none', async () => {
  const bytes = await readFile(await write('small.zip', [text('a', 'b')]))
  assert.equal(bytes.indexOf('PK\x06\x06', 0, 'latin1'), -1)
})

function text(name: string, content: string): ZipEntry {
  return { name, open: async () => Readable.from([Buffer.from(content)]) }
}

function* many(chunk: Buffer, count: number): Generator<Buffer> {
  for (let i = 0; i < count; i++) yield chunk
}

/** Writes zeros as a hole, to save disk space. */
async function write(name: string, entries: readonly ZipEntry[]): Promise<string> {
  const path = join(folder, name)
  await using file = await open(path, 'w')
  let [at, chunks] = [0, [] as Buffer[]]
  const flush = async () => {
    const bytes = Buffer.concat(chunks)
    await file.write(bytes, 0, bytes.length, at)
    ;[at, chunks] = [at + bytes.length, []]
  }
  for await (const chunk of zip(entries)) {
    if (chunk !== ZEROS) chunks.push(chunk)
    else {
      await flush()
      at += chunk.length
    }
  }
  await flush()
  return path
}

/** Evaluates a Python expression on an archive `z`. */
async function read(path: string, expression: string): Promise<unknown> {
  const script = `import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nprint(json.dumps(${expression}))`
  return JSON.parse((await run('python3', ['-c', script, path])).stdout)
}
