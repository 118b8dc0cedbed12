/**
 * Collects the statements of all operations: runs the recorded scenarios and the tests of all parts, and writes each
 * distinct statement with its source file to a folder. Failures of tests do not matter here.
 *
 *   node test/shards/collect.ts FOLDER [FILE …]
 */
import { spawn } from 'node:child_process'
import { glob, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#cli'

const CONFORMANCE = 'test/conformance/conformance.test.ts'
const GROUP = 12
const TIMEOUT = '--test-timeout=600000'

const [folder, ...files] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node test/shards/collect.ts FOLDER [FILE …]')
await mkdir(folder, { recursive: true })
const postgres = await mkdtemp(join(tmpdir(), 'bloomery-collect-'))
const server = await startPostgres({ folder: postgres, isDurable: false, isStill: true })
try {
  const asked =
    files.length > 0 ? files : [CONFORMANCE, ...(await Array.fromAsync(glob('src/**/*.test.ts'))).sort()]
  for (let i = 0; i < asked.length; i += GROUP) {
    const group = asked.slice(i, i + GROUP)
    process.stdout.write(`${i} of ${asked.length}: ${group[0]} …\n`)
    await run(group)
  }
} finally {
  await server.stop()
  await rm(postgres, { recursive: true, force: true })
}

function run(group: readonly string[]): Promise<void> {
  const hook = `--import=${join(import.meta.dirname, 'note-statements.ts')}`
  const child = spawn(process.execPath, ['--test', '--test-isolation=none', TIMEOUT, ...group], {
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${hook}`.trim(),
      SHARDS_STATEMENTS: folder,
      TEST_POSTGRES: server.url('postgres'),
    },
  })
  return new Promise((resolve) => child.once('exit', () => resolve()))
}
