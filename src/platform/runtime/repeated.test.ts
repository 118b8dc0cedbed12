/** An outage in the log: the first line at once, then counts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#platform/problem'
import { openLog } from './log.ts'

interface Line {
  readonly level: string
  readonly msg: string
  readonly repeated?: number
}

test('a failure that many meet in an outage is one line, and then a count every ten seconds', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines: Line[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const seen = () => lines.splice(0).map(({ msg, repeated }) => [msg, repeated])

  for (let i = 0; i < 100; i++) log.child({ 'request.id': i }).error({ err: away }, 'database unavailable')
  log.warn({ err: new Problem('unavailable', 'object store failed') }, 'request failed: unavailable')
  assert.deepEqual(seen(), [
    ['database unavailable', undefined],
    ['request failed: unavailable', undefined],
  ])
  t.mock.timers.tick(10_000)
  assert.deepEqual(seen(), [['database unavailable', 99]])
  log.error({ err: away }, 'database unavailable')
  t.mock.timers.tick(10_000)
  assert.deepEqual(seen(), [['database unavailable', 1]])
  // The outage is over: the first line of the next one is written at once.
  t.mock.timers.tick(10_000)
  assert.deepEqual(seen(), [])
  log.error({ err: away }, 'database unavailable')
  assert.deepEqual(seen(), [['database unavailable', undefined]])
})

test('errors of ours, and lines below warn, are all written', () => {
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  for (let i = 0; i < 3; i++) log.error({ err: new TypeError('a mistake') }, 'internal server error')
  for (let i = 0; i < 3; i++) log.info({ err: new Problem('unavailable', 'busy') }, 'fetch aborted')
  for (let i = 0; i < 3; i++) log.error('plain')
  assert.equal(lines.length, 9)
})
