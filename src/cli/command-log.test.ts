/** The log of a command: plain lines, because a person reads them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const LOG = new URL('command-log.ts', import.meta.url).href

test('a command writes warnings as plain lines, and nothing at info', async () => {
  const program = `const { openCommandLog } = await import('${LOG}')
    const log = openCommandLog({ 'log.level': 'info' })
    log.info('serving')
    log.warn({ err: new Error('nobody listens') }, 'bus connection failed')`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    program,
  ])
  assert.equal(stdout, '')
  assert.equal(stderr, 'warn: bus connection failed: nobody listens\n')
})
