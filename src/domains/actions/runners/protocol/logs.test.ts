/** Job logs: from the runner to the object store, and read back. */
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { addRun, type Message, SimulatedRunner } from '#testing/slices/runners'
import { openLog } from '../../runs/logs/read-log.ts'

const KEY = '-----BEGIN KEY-----\nfirst-line-of-it\nsecond-line\n-----END KEY-----\n'
const SECRET = 'hush hush/äöü+secret'

let forge: Forge
let repo: number
let runner: SimulatedRunner
before(async () => {
  forge = await startForge({
    config: { 'runners.wait_ms': 300, 'runners.poll_ms': 50, 'actions.log_bytes_max': 20_000 },
  })
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  repo = (await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })).body.id
  const { token } = (await forge.call('root', 'POST', '/admin/actions/runners/registration-token')).body
  runner = await SimulatedRunner.register(forge.base, token)
  for (const [name, data] of [
    ['PASSPHRASE', SECRET],
    ['KEY', KEY],
  ])
    await forge.call('ann', 'PUT', `/repos/ann/anvil/actions/secrets/${name}`, { data })
})
after(() => forge[Symbol.asyncDispose]())

async function take(): Promise<Message> {
  await addRun(forge.ctx, repo)
  return runner.untilTask()
}

const read = async ({ id }: Message) => text(await openLog(forge.ctx, Number(id)))
const contents = async (task: Message) =>
  (await read(task))
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice('2026-01-02T03:04:05.0000000Z '.length))
const objects = async () =>
  (await Array.fromAsync(forge.world.store.list('action-logs/'))).map(({ key }) => key)

test('log lines are stored once and in order, and can be read while the job runs', async () => {
  const task = await take()
  assert.equal(await runner.log(task.id, 0, ['one', 'two']), 2)
  assert.equal(await read(task), '2026-01-02T03:04:05.0000000Z one\n2026-01-02T03:04:05.0000000Z two\n')
  assert.equal(await runner.log(task.id, 0, ['one', 'two']), 2, 'sent again')
  assert.equal(await runner.log(task.id, 1, ['two', 'three']), 3, 'sent again with more')
  assert.equal(await runner.log(task.id, 7, ['eight']), 3, 'what is between is missing')
  const twice = await Promise.all([runner.log(task.id, 3, ['four']), runner.log(task.id, 3, ['four'])])
  assert.deepEqual(twice, [4, 4])
  assert.deepEqual(await contents(task), ['one', 'two', 'three', 'four'])
  assert.equal(await runner.log(task.id, 4, ['fi\nve'], true), 5)
  assert.equal(await runner.log(task.id, 5, ['six']), 6, 'after the last nothing is written')
  await runner.finish(task.id)
  const before = await read(task)
  await forge.deleteDiscarded()
  assert.equal(await read(task), before)
  assert.match(before, /fi\\nve\n$/)
  assert.equal((await objects()).filter((key) => key.includes(`/${task.id}/`)).length, 1, 'all in one object')
})

test('secrets are masked in every encoding, also when wrapped over two lines', async () => {
  const task = await take()
  const base64 = Buffer.from(SECRET).toString('base64')
  const shifted = Buffer.from(`user:${SECRET}`).toString('base64')
  const lines = [
    `plain ${SECRET} twice ${SECRET}`,
    'first-line-of-it',
    `base64 ${base64}`,
    `basic ${shifted}`,
    `url ${encodeURIComponent(SECRET)}`,
    `token ${task.secrets.GITHUB_TOKEN}`,
    `wrapped ${base64.slice(0, 14)}`,
    `${base64.slice(14)} here`,
    'nothing to hide',
  ]
  assert.equal(await runner.log(task.id, 0, lines), lines.length)
  const shown = await contents(task)
  assert.deepEqual(shown.slice(0, 3), ['plain *** twice ***', '***', 'base64 ***'])
  assert.match(shown[3] ?? '', /^basic \w{6,8}\*\*\*\S{0,4}$/)
  assert.deepEqual(shown.slice(4, 6), ['url ***', 'token ***'])
  assert.equal(shown[6], 'wrapped ***')
  assert.ok(shown[7]?.startsWith('***'))
  assert.equal(shown[8], 'nothing to hide')
  await runner.finish(task.id)
})

test('a secret that is split over two UpdateLog calls is masked', async () => {
  const task = await take()
  assert.equal(
    await runner.log(task.id, 0, ['before', `half ${SECRET.slice(0, 8)}`]),
    1,
    'the second is left',
  )
  assert.equal(await runner.log(task.id, 1, [`half ${SECRET.slice(0, 8)}`, SECRET.slice(8)]), 3)
  assert.deepEqual(await contents(task), ['before', 'half ***', '***'])
  assert.equal(await runner.log(task.id, 3, [SECRET.slice(0, 8)], true), 4, 'nothing more will come')
  await runner.finish(task.id)
})

test('the value of a secret at the time the job started is masked, not a later one', async () => {
  const task = await take()
  await forge.call('ann', 'PUT', '/repos/ann/anvil/actions/secrets/PASSPHRASE', { data: 'another-one' })
  await runner.log(task.id, 0, [SECRET])
  assert.deepEqual(await contents(task), ['***'])
  await runner.finish(task.id)
  await forge.call('ann', 'PUT', '/repos/ann/anvil/actions/secrets/PASSPHRASE', { data: SECRET })
})

test('masking log lines that resemble secrets everywhere does not block the event loop', async () => {
  const names = Array.from({ length: 5 }, (_, i) => `LONG${i}`)
  for (const [i, name] of names.entries()) {
    const data = `${'a'.repeat(60_000)}${i}`
    await forge.call('ann', 'PUT', `/repos/ann/anvil/actions/secrets/${name}`, { data })
  }
  const task = await take()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const lines = Array.from({ length: 12 }, () => 'a'.repeat(65_000))
  assert.equal(await runner.log(task.id, 0, lines, true), 12)
  delay.disable()
  assert.deepEqual(
    await contents(task),
    lines.map(() => '***'),
  )
  assert.ok(delay.max < 2e9, `the event loop stood still for ${Math.round(delay.max / 1e6)} ms`)
  await runner.finish(task.id)
  for (const name of names) await forge.call('ann', 'DELETE', `/repos/ann/anvil/actions/secrets/${name}`)
})

test('a log that exceeds its limit is truncated, and the job continues', async () => {
  const task = await take()
  const line = 'x'.repeat(1_000)
  assert.equal(
    await runner.log(
      task.id,
      0,
      Array.from({ length: 30 }, () => line),
    ),
    30,
  )
  assert.equal(await runner.log(task.id, 30, ['more']), 31)
  const log = await read(task)
  assert.ok(log.length < 21_000)
  assert.match(log, /too long: what comes after this line was dropped\.\n$/)
  assert.equal((await runner.finish(task.id)).state.result, 'RESULT_SUCCESS')
})

test('the log of an owner without log storage is dropped, and the job continues', async () => {
  const limit = (bytes: number) =>
    forge.pool.query(
      `insert into account_usage (account_id, kind, bytes_max) select id, 'logs', $1 from account
      where login = 'ann' on conflict (account_id, kind) do update set bytes_max = excluded.bytes_max`,
      [bytes],
    )
  await limit(0)
  const task = await take()
  assert.equal(await runner.log(task.id, 0, ['one', 'two']), 2)
  assert.equal(await runner.log(task.id, 2, ['three']), 3)
  assert.match(await read(task), /^\S+ quota exceeded: log storage of the owner is full.*\n$/)
  assert.equal((await runner.finish(task.id)).state.result, 'RESULT_SUCCESS')
  await limit(-1)
})

test('deleting a repository deletes the objects of its logs', async () => {
  const { id } = (await forge.call('ann', 'POST', '/user/repos', { name: 'gone' })).body
  await addRun(forge.ctx, id)
  const task = await runner.untilTask()
  await runner.log(task.id, 0, ['one'])
  await runner.log(task.id, 1, ['two'])
  const mine = async () => (await objects()).filter((key) => key.includes(`/${task.id}/`)).length
  assert.equal(await mine(), 2)
  assert.equal((await forge.call('ann', 'DELETE', '/repos/ann/gone')).status, 204)
  forge.advance(25 * 3_600_000)
  await forge.runTask('sweep_action_logs')
  await forge.deleteDiscarded()
  assert.equal(await mine(), 0)
})

test('log lines are acknowledged only if their object still exists when it is recorded', async (t) => {
  const task = await take()
  const { store } = forge.world
  const create = store.create.bind(store)
  // A sweep whose clock is two days ahead runs between storing the object and recording it.
  t.mock.method(store, 'create', async (...args: Parameters<typeof create>) => {
    await create(...args)
    forge.advance(2 * 86_400_000)
    await forge.runTask('sweep_action_logs')
    forge.advance(-2 * 86_400_000)
  })
  assert.equal(await runner.log(task.id, 0, ['one', 'two']), 0)
  t.mock.restoreAll()
  assert.equal(await runner.log(task.id, 0, ['one', 'two']), 2, 'it sends them again')
  await forge.deleteDiscarded()
  assert.deepEqual(await contents(task), ['one', 'two'])
  await runner.finish(task.id)
})
