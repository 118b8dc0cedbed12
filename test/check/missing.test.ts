/** `npm run check` names each missing program and how to install it, before its first step. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { describeMissing, type Machine, PARTS } from '../../tools/missing.ts'

const COMPLETE: Machine = { has: () => true, postgres: 15 }
const BARE: Machine = { has: () => false, postgres: 0 }

test('a complete machine lacks nothing', () => {
  assert.deepEqual(describeMissing(COMPLETE, true), [])
})

test('a bare machine gets one line for each part, with the command that installs it', () => {
  const lines = describeMissing(BARE, true)
  assert.equal(lines.length, PARTS.length + 1)
  for (const line of lines)
    assert.match(line, /^missing: .+ \(.+\): (?:npm ci|bash tools\/bootstrap\.sh|apt-get install .+)$/)
})

for (const { name, programs, install } of PARTS)
  test(`without ${name} its line is the only one`, () => {
    for (const program of programs)
      assert.deepEqual(describeMissing({ ...COMPLETE, has: (it) => it !== program }, true), [
        `missing: ${name} (${program}): ${install}`,
      ])
  })

test('PostgreSQL must be new enough', () => {
  assert.deepEqual(describeMissing({ ...COMPLETE, postgres: 14 }, true), [
    'missing: PostgreSQL 15 or newer (found: 14): bash tools/bootstrap.sh',
  ])
  assert.deepEqual(describeMissing({ ...COMPLETE, postgres: 18 }, true), [])
})

test('steps before the tests need the packages alone', () => {
  assert.deepEqual(
    describeMissing(BARE, false).map((line) => line.split(' (')[0]),
    ['missing: packages of package.json'],
  )
})

test('the check stops before its first step, and names each program that is not on the PATH', async () => {
  const { code, said } = await run(['tools/check.ts'])
  assert.equal(code, 1, said)
  for (const part of ['git', 'nats-server', 'jq', 'clients of SSH'])
    assert.match(said, new RegExp(`^missing: ${part} \\(.*\\): bash tools/bootstrap.sh$`, 'm'))
  assert.doesNotMatch(said, /──|Error/)
})

test('with an old version of Node the check prints how to install a new one', async () => {
  const old = "Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } })"
  const { code, said } = await run(['--import', `data:text/javascript,${old}`, 'tools/node-version.mjs'])
  assert.equal(code, 1, said)
  assert.match(
    said,
    /^missing: Node 26 or newer \(found: 18\.20\.4\): bash tools\/bootstrap\.sh, then export PATH=/,
  )
  assert.deepEqual(await run(['tools/node-version.mjs']), { code: 0, said: '' })
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  assert.equal(scripts.check, 'node tools/node-version.mjs && node tools/check.ts')
})

/** Runs Node with an empty PATH. */
function run(args: readonly string[]): Promise<{ code: number; said: string }> {
  return new Promise((done) => {
    execFile(process.execPath, args, { env: { PATH: '/nowhere' } }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    )
  })
}
