/** Processes started by the spawner: their streams, their exit, and the shutdown of the spawner itself. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { searchPath } from '#platform/config'
import { openLog } from '#platform/log'
import { until } from '../../testing/pace.ts'
import { Spawner } from './spawner.ts'

const MEMORY_BYTES_MAX = 1024 * 1024 * 1024

let spawner: Spawner
before(async () => {
  spawner = await Spawner.open(openLog('silent'))
})
after(() => spawner.close())

function start(
  words: readonly string[],
  more: { folder?: string; streams?: number; environment?: object; memoryBytesMax?: number } = {},
) {
  const { folder = '/', streams = 3, environment = {}, memoryBytesMax = MEMORY_BYTES_MAX } = more
  const own = { ...searchPath(), ...environment }
  return spawner.start({ words, folder, environment: own, streams, memoryBytesMax })
}

async function read(stream: NodeJS.ReadableStream | undefined): Promise<Buffer> {
  assert(stream)
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

test('a process gets its arguments, working directory and environment, and nothing else', async () => {
  const words = ['sh', '-c', 'printf "%s|" "$@"; pwd; env', 'sh', 'a b', '', '$HOME', 'é\n']
  const { streams, exited } = start(words, { folder: '/usr', environment: { COLOUR: 'two words' } })
  const said = (await read(streams[1])).toString()
  assert.ok(said.startsWith('a b||$HOME|é\n|/usr\n'), said)
  const names = [...said.matchAll(/^([A-Za-z_]+)=/gm)].map(([, name]) => name)
  assert.deepEqual(names.filter((name) => name !== 'PWD' && name !== '_' && name !== 'SHLVL').sort(), [
    'COLOUR',
    'PATH',
  ])
  assert.match(said, /^COLOUR=two words$/m)
  assert.equal(await exited, 0)
})

test('the exit code and stderr of a process are returned', async () => {
  const { streams, exited } = start(['sh', '-c', 'echo alas >&2; exit 42'])
  assert.equal((await read(streams[2])).toString(), 'alas\n')
  assert.equal(await exited, 42)
})

test('a process and its children cannot exceed the memory limit', async () => {
  const take = (mebibytes: number) => ['perl', '-e', `$x = 'x' x (${mebibytes} << 20); print length $x`]
  for (const [words, isEnough] of [
    [take(20), true],
    [take(200), false],
    [['sh', '-c', '"$@"; exit $?', 'sh', ...take(200)], false],
  ] as const) {
    const { streams, exited } = start(words, { memoryBytesMax: 100 * 1024 * 1024 })
    const said = (await read(streams[1])).toString()
    assert.equal(said !== '', isEnough, said)
    assert.equal((await exited) === 0, isEnough)
  }
})

test('a process runs at the requested nice level', async () => {
  const words = ['nice']
  assert.equal((await read(start(words).streams[1])).toString(), '0\n')
  const wish = { words, folder: '/', environment: searchPath(), streams: 3, memoryBytesMax: MEMORY_BYTES_MAX }
  assert.equal((await read(spawner.start({ ...wish, nice: 10 }).streams[1])).toString(), '10\n')
})

test('the OOM killer prefers a started process to the node', async () => {
  const { streams } = start(['cat', '/proc/self/oom_score_adj'])
  assert.equal((await read(streams[1])).toString(), '500\n')
})

test('a process that cannot be started reports the reason on stderr and exits with 127', async () => {
  for (const [words, folder] of [
    [['nothing-of-this-name'], '/'],
    [['true'], '/nonexistent'],
  ] as const) {
    const { streams, exited } = start(words, { folder })
    assert.match((await read(streams[2])).toString(), /^cannot be started: No such file/)
    assert.equal(await exited, 127)
  }
})

test('eight concurrent processes each pass 3 MB through unchanged', async () => {
  const bytes = randomBytes(3_000_000)
  const digests = Array.from({ length: 8 }, async () => {
    const { streams, exited } = start(['cat'])
    streams[0]?.end(bytes)
    const digest = createHash('sha256')
      .update(await read(streams[1]))
      .digest('hex')
    return [digest, await exited]
  })
  const digest = createHash('sha256').update(bytes).digest('hex')
  assert.deepEqual(await Promise.all(digests), Array(8).fill([digest, 0]))
})

test('descriptors beyond the first three block until bytes arrive', async () => {
  const { streams, exited } = start(['sh', '-c', 'cat <&3 >&4'], { streams: 5 })
  await sleep(50)
  streams[3]?.end('through')
  assert.equal((await read(streams[4])).toString(), 'through')
  assert.equal(await exited, 0)
})

test('a thousand processes leave no open descriptors behind', async () => {
  for (let i = 0; i < 1_000; i += 50) {
    const some = Array.from({ length: 50 }, () => start(['true']))
    for (const { streams } of some) for (const stream of streams) stream.resume().end()
    assert.deepEqual(await Promise.all(some.map(({ exited }) => exited)), Array(50).fill(0))
  }
  assert.ok((await readdir(`/proc/${await pidOf(spawner)}/fd`)).length < 40)
})

test('killing a process also kills its children', async () => {
  const mark = `mark-${process.pid}-${performance.now()}`
  const { exited, kill } = start(['sh', '-c', `sh -c 'sleep 1000; : ${mark}' & wait; : ${mark}`])
  await until(async () => (await findProcesses(mark)).length >= 2)
  kill()
  assert.equal(await exited, null)
  await until(async () => (await findProcesses(mark)).length === 0)
})

test('a connection that closes without sending anything does not block other processes', async () => {
  const other = start(['sleep', '1000'])
  for (let i = 0; i < 20; i++) {
    // SIGCHLD interrupts the spawner; the interrupted call must not be mistaken for the next answer.
    assert.equal(await start(['true']).exited, 0)
    start(['true']).streams[1]?.destroy()
  }
  assert.equal(await start(['true']).exited, 0)
  other.kill()
  assert.equal(await other.exited, null)
})

test('a NUL in an argument is refused because it separates arguments', () => {
  assert.throws(() => start(['echo', 'a\0b']), /null character/)
})

test('a spawner that dies is restarted; closing it kills the processes it started', async () => {
  const mark = `mark-${process.pid}-${performance.now()}`
  const other = await Spawner.open(openLog('silent'))
  const wish = { folder: '/', environment: searchPath(), streams: 3, memoryBytesMax: MEMORY_BYTES_MAX }
  process.kill(await pidOf(other), 'SIGKILL')
  await until(async () => (await other.start({ ...wish, words: ['true'] }).exited) === 0)
  other.start({ ...wish, words: ['sh', '-c', `sleep 1000; : ${mark}`] })
  await until(async () => (await findProcesses(mark)).length > 0)
  await other.close()
  await until(async () => (await findProcesses(mark)).length === 0)
})

test('a spawner whose node was killed removes its socket folder', async () => {
  const source = `import { Spawner } from ${JSON.stringify(new URL('./spawner.ts', import.meta.url).href)}
    import { openLog } from '#platform/log'
    const spawner = await Spawner.open(openLog('silent'))
    const wish = { words: ['sh', '-c', 'echo $PPID'], folder: '/', environment: process.env, streams: 3, memoryBytesMax: 1e9 }
    spawner.start(wish).streams[1].on('data', (bytes) => console.log(String(bytes)))`
  const node = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: new URL('.', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(node.stdout, 'data')
  const words = (await readFile(`/proc/${Number(line)}/cmdline`, 'utf8')).split('\0')
  const socket = words.find((word) => word.includes('bloomery-spawner-')) ?? ''
  assert.ok((await stat(dirname(socket))).isDirectory())
  node.kill('SIGKILL')
  await until(async () => (await stat(dirname(socket)).catch(() => undefined)) === undefined)
})

async function pidOf(of: Spawner): Promise<number> {
  const { streams } = of.start({
    words: ['sh', '-c', 'echo $PPID'],
    folder: '/',
    environment: searchPath(),
    streams: 3,
    memoryBytesMax: MEMORY_BYTES_MAX,
  })
  return Number(await read(streams[1]))
}

async function findProcesses(mark: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(mark)) found.push(pid)
  return found
}
