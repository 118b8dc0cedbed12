/** Bytes of packages and logs: kept when a failover loses the last commits, and when clocks or the store are wrong. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import { noise, type Person } from './kit/calls.ts'
import { happens, LostCommits, paused, storePid, until } from './kit/faults.ts'
import type { Forge } from './kit/forge.ts'
import { addRun, mustTake, registerRunner } from './kit/runner.ts'

export const storeAndClocks: readonly Attack[] = [
  {
    name: 'a-log-swept-by-a-wrong-clock',
    holds:
      'acknowledged lines of a log are there, also when a node with a clock a day ahead sweeps meanwhile',
    seconds: 120,
    on: 's3',
    isInCi: true,
    run: sweepLogEarly,
  },
  {
    name: 'an-upload-after-a-failover',
    holds:
      'content that is uploaded after a failover has its bytes, although the same content was deleted before',
    seconds: 120,
    on: 's3',
    isInCi: true,
    run: uploadAfterFailover,
  },
  {
    name: 'a-log-after-a-failover',
    holds: 'a log that was not deleted can be read after a failover that lost the last seconds',
    seconds: 180,
    on: 's3',
    isInCi: true,
    run: readLogAfterFailover,
  },
]

/** A forge that deletes immediately does so within this time; one that waits keeps the bytes for longer. */
const DELETED_AT_ONCE_MS = 15_000

const objectOf = (forge: Forge, key: string) => join(forge.data, 'objects', 'bloomery', key)

async function uploadAfterFailover(forge: Forge): Promise<string | undefined> {
  const [ann, bob] = [await forge.user('ann'), await forge.user('bob')]
  const bytes = noise(100_000)
  const version = (who: Person) => `/api/packages/${who.name}/generic/thing/1.0`
  const upload = async (who: Person) => {
    const headers = { 'content-type': 'application/octet-stream' }
    return (await forge.call(who, 'PUT', `${version(who)}/file.bin`, bytes, { headers })).status
  }
  if ((await upload(ann)) !== 201) throw new Error('the first upload was refused')
  const key = await forge.sql('select key from package_blob order by id desc limit 1')
  const file = objectOf(forge, `packages/${key.slice(0, 2)}/${key}`)
  if (!existsSync(file)) throw new Error(`no object at ${file}`)
  const failover = new LostCommits(forge, ['package', 'package_version', 'package_file', 'package_blob'])
  await failover.keep()
  await forge.must(ann, 'DELETE', version(ann))
  const isGone = await happens(() => !existsSync(file), DELETED_AT_ONCE_MS, 50)
  await failover.bringBack()
  const status = await upload(bob)
  const read = await forge.call(bob, 'GET', `${version(bob)}/file.bin`)
  if (status !== 201 || (read.status === 200 && read.bytes.equals(bytes))) return undefined
  const when = isGone ? 'bytes were deleted at once; ' : ''
  return `${when}the same content uploaded by somebody else after the failover was answered 201 and reads ${read.status}`
}

async function readLogAfterFailover(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'logs')
  const label = forge.name('label')
  const runner = await registerRunner(forge, label)
  await addRun(forge, ann, repository, label)
  const { id } = await mustTake(runner)
  let lines = 0
  for (let i = 0; i < 4; i++) lines = await runner.log(id, lines, [`line ${i} one`, `line ${i} two`])
  const jobId = await forge.sql(`select job_id from action_task where id = ${id}`)
  const log = `/api/v1/repos/${repository}/actions/jobs/${jobId}/logs`
  const readLog = () => forge.call(ann, 'GET', log)
  if (!(await readLog()).text.includes('line 0 one')) throw new Error('the log cannot be read at all')
  const listPieces = async () =>
    (await forge.sql(`select object_key from action_log_piece where task_id = ${id}`)).split('\n')
  const failover = new LostCommits(forge, ['action_log_piece', 'action_task'])
  await failover.keep()
  const pieces = await listPieces()
  await runner.log(id, lines, ['the end'], true)
  const isJoined = async () => !(await listPieces()).some((it) => pieces.includes(it))
  await until('pieces are joined', isJoined, 90_000)
  await happens(() => pieces.every((key) => !existsSync(objectOf(forge, key))), DELETED_AT_ONCE_MS)
  if (!(await readLog()).text.includes('line 0 one')) throw new Error('the joined log cannot be read')
  await failover.bringBack()
  // The runner does not resend acknowledged lines; later ones are lost with the failover, and it would resend them.
  const { status, text } = await readLog()
  return status === 200 && text.includes('line 0 one')
    ? undefined
    : `8 lines were acknowledged long before; after the failover the log answers ${status} ${text.slice(0, 80)}`
}

async function sweepLogEarly(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'swept')
  const label = forge.name('label')
  const runner = await registerRunner(forge, label)
  await addRun(forge, ann, repository, label)
  const { id } = await mustTake(runner)
  const count = () => forge.sql('select count(*) from action_log_piece where task_id is null')
  let writing: Promise<number>
  {
    using _ = paused(storePid(forge))
    writing = runner.log(id, 0, ['first', 'second'])
    await until('the piece is announced', async () => (await count()) !== '0')
    // As if the clock of this node had been a day behind, or that of the sweeper a day ahead.
    await forge.sql(`update action_log_piece set created_at = created_at - interval '2 days'
      where task_id is null`)
    await forge.must(forge.admin, 'POST', '/api/v1/admin/cron/sweep_action_logs')
    // A sweeper may also detect that the piece is still being written.
    await happens(async () => (await count()) === '0', DELETED_AT_ONCE_MS)
  }
  const acknowledged = await writing.catch(() => 0)
  await sleep(1_000)
  const named = await forge.sql(`select coalesce(sum(lines), 0) from action_log_piece where task_id = ${id}`)
  return Number(named) < acknowledged
    ? `${acknowledged} lines were acknowledged, ${named} are there`
    : undefined
}
