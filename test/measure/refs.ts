/** Ref advertisements against bare git, whether they start a process, and whether other repositories slow them down. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startDaemon } from './bare-git.ts'
import { forgeWith } from './clone.ts'
import { compare, tell, time } from './compare.ts'
import { borrow, git, makeSmall, nextCommit } from './git-client.ts'
import { MeasuredForge } from './measured-forge.ts'
import type { Options } from './options.ts'
import { scratch } from './push.ts'

const LS_REMOTE_MOST = 1
const FLAT_MOST = 1.2
const FORK_MS_MAX = 100
const FEW = 100
const MANY = 100_000

export async function lsRemote(options: Options): Promise<void> {
  await using forge = await forgeWith(options.big)
  await using daemon = await startDaemon(dirname(options.big))
  const theirs = `${daemon.url}/${options.big.slice(dirname(options.big).length + 1)}`
  const list = async (url: string) => void (await git(['ls-remote', url]))
  await compare(
    `ls-remote of ${(await git(['-C', options.big, 'for-each-ref'])).split('\n').length} refs`,
    { ours: () => list(forge.remote('big')), theirs: () => list(theirs) },
    { times: options.times * 3, most: LS_REMOTE_MOST },
  )
  console.log(`git processes started by 10 ls-remotes: ${await countProcesses()}`)
}

/** A script in front of git in the search path records every start. */
async function countProcesses(): Promise<number> {
  await using folder = await scratch()
  const log = join(folder.path, 'starts')
  const bin = join(folder.path, 'bin')
  await mkdir(bin)
  await writeFile(
    join(bin, 'git'),
    `#!/bin/sh\necho start >>${log}\nPATH=${process.env.PATH} exec git "$@"\n`,
  )
  await chmod(join(bin, 'git'), 0o755)
  await using forge = await MeasuredForge.open([], `${bin}:${process.env.PATH}`)
  await forge.createRepository('small')
  const work = join(folder.path, 'small.git')
  const tip = await makeSmall(work)
  await git([...forge.credentials, '-C', work, 'push', '-q', forge.remote('small'), `${tip}:refs/heads/main`])
  await forge.untilIdle()
  const starts = async () => (await readFile(log, 'utf8')).split('\n').length - 1
  const before = await starts()
  if (before === 0) throw new Error('the starts of a push were not seen')
  for (let i = 0; i < 10; i++) await git(['ls-remote', forge.remote('small')])
  return (await starts()) - before
}

/** Two forges that differ in their number of other repositories. */
export async function flat(options: Options): Promise<void> {
  await using folder = await scratch()
  const small = join(folder.path, 'small.git')
  await makeSmall(small)
  const work = join(folder.path, 'work.git')
  const tip = await borrow(small, work)
  await using full = await MeasuredForge.open()
  await using empty = await MeasuredForge.open()
  for (const [forge, count] of [
    [full, MANY],
    [empty, FEW],
  ] as const) {
    await fill(forge, count)
    await forge.createRepository('big')
    await git([...forge.credentials, '-C', work, 'push', '-q', forge.remote('big'), `${tip}:refs/heads/main`])
  }
  const times = options.times * 5
  const list = (forge: MeasuredForge) => async () => void (await git(['ls-remote', forge.remote('big')]))
  await compare(
    `ls-remote with ${MANY} and with ${FEW} repositories`,
    { ours: list(full), theirs: list(empty) },
    { times, most: FLAT_MOST },
  )
  const commits = [tip]
  for (let i = 0; i <= times; i++) commits.push(await nextCommit(work, commits[i] ?? tip, `file-${i}`))
  const push = (forge: MeasuredForge) => async (i: number) => {
    const what = `${commits[i + 2]}:refs/heads/main`
    await git([...forge.credentials, '-C', work, 'push', '-q', forge.remote('big'), what])
  }
  await compare(
    `push of one commit with ${MANY} and with ${FEW} repositories`,
    {
      ours: push(full),
      theirs: push(empty),
      rest: async () => void (await Promise.all([full.untilIdle(), empty.untilIdle()])),
    },
    { times, most: FLAT_MOST },
  )
}

/** Repositories with ten refs and a pack each. */
async function fill(forge: MeasuredForge, count: number): Promise<void> {
  await forge.query(`
    with storage as (
      insert into git_storage (object_format, head, generation, created_at)
      select 'sha1', 'refs/heads/main', 1, now() from generate_series(1, ${count}) returning id),
    refs as (
      insert into git_ref (storage_id, name, oid, generation)
      select id, 'refs/heads/branch-' || n, repeat('1', 40), 1 from storage, generate_series(1, 10) n),
    pack as (
      insert into git_pack (id, digest, bytes, index_bytes, object_count, kind, created_at)
      select gen_random_uuid(), repeat('0', 48) || lpad(to_hex(id), 16, '0'), 1000, 1000, 10, 'receive', now() from storage
      returning id),
    repositories as (
      insert into repository (owner_id, storage_id, name, name_key, created_at, updated_at)
      select (select id from account where login_key = 'admin'), id, 'filler-' || id, 'filler-' || id, now(), now()
      from storage returning id)
    select count(*) from repositories`)
  // Autovacuum must not run during the measurement.
  await forge.query('vacuum analyze')
  await forge.query('checkpoint')
}

/** A fork copies rows, not bytes: its duration, and how much the store has grown. */
export async function fork(options: Options): Promise<void> {
  await using forge = await forgeWith(options.big)
  const samples: number[] = []
  const packs = async () => (await forge.query('select 1 from git_pack')).length
  const before = await packs()
  for (let i = 0; i < options.times; i++) {
    // An owner can have only one fork of a repository.
    const made = await forge.call('POST', '/orgs', { username: `forks-${i}` })
    if (made.status !== 201) throw new Error(`the organization was answered ${made.status}`)
    samples.push(
      await time(async () => {
        const body = { organization: `forks-${i}` }
        const answer = await forge.call('POST', '/repos/admin/big/forks', body)
        if (answer.status !== 202) throw new Error(`the fork was answered ${answer.status}`)
      }),
    )
  }
  const ours = Math.max(...samples)
  console.log(`packs before ${before}, after ${await packs()}`)
  tell({ name: 'slowest fork', ours, theirs: FORK_MS_MAX, ratio: ours / FORK_MS_MAX, most: 1 })
}
