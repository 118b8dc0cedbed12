/** Pushes against bare git: one commit, everything, fifty in a row, two gigabytes. */
import { randomFillSync } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDaemon, startHttpBackend } from './bare-git.ts'
import { forgeWith } from './clone.ts'
import { compare, median, tell, time } from './compare.ts'
import { borrow, git, makeSmall, nextCommit } from './git-client.ts'
import { MeasuredForge } from './measured-forge.ts'
import type { Options } from './options.ts'

const ONE_MOST = 1.5
const WHOLE_MOST = 2
const AFTER_FIFTY_MOST = 1.2
const FIFTY = 50
const MIB = 1024 * 1024
const PACKS_FEW = 9
const COMPACTION_MS_MAX = 120_000

/** Against `git http-backend`: a small repository, and the large one. */
export async function pushOne(options: Options): Promise<void> {
  await using folder = await scratch()
  const small = join(folder.path, 'small.git')
  await makeSmall(small)
  await pushOneTo('push of one commit, small repository', small, await MeasuredForge.open(), options)
  await pushOneTo('push of one commit, large repository', options.big, await forgeWith(options.big), options)
}

async function pushOneTo(name: string, from: string, opened: MeasuredForge, options: Options): Promise<void> {
  await using forge = opened
  await using folder = await scratch()
  const work = join(folder.path, 'work.git')
  const tip = await borrow(from, work)
  const bare = join(folder.path, 'bare')
  await git(['clone', '-q', '--mirror', from, join(bare, 'big.git')])
  await using backend = await startHttpBackend(bare)
  const isThere = (await forge.call('GET', '/repos/admin/big')).status === 200
  if (!isThere) {
    await forge.createRepository('big')
    await git([...forge.credentials, '-C', work, 'push', '-q', forge.remote('big'), `${tip}:refs/heads/main`])
  }
  const commits = [await nextCommit(work, tip, 'file--1')]
  for (let i = 0; i < options.times * 3; i++)
    commits.push(await nextCommit(work, commits[i] ?? tip, `file-${i}`))
  const push = (url: string, i: number, flags: readonly string[] = []) =>
    git([...flags, '-C', work, 'push', '-q', url, `${commits[i + 1]}:refs/heads/main`]).then(() => undefined)
  const theirs = (i: number) => push(`${backend.url}/big.git`, i)
  const times = options.times * 3
  const ours = (i: number) => push(forge.remote('big'), i, forge.credentials)
  await compare(name, { ours, theirs, rest: () => forge.untilIdle() }, { times, most: ONE_MOST })
}

/** Everything at once, over HTTP and with one ref, against a push to an empty repository by `git daemon`. */
export async function pushWhole(options: Options): Promise<void> {
  await using forge = await MeasuredForge.open()
  await using folder = await scratch()
  await using daemon = await startDaemon(folder.path)
  const names = (i: number) => (i < 0 ? 'warm-up' : `whole-${i}`)
  for (let i = -1; i < options.times; i++) {
    await forge.createRepository(names(i))
    await git(['init', '-q', '--bare', join(folder.path, `${names(i)}.git`)])
  }
  const push = async (flags: readonly string[], url: string) => {
    await git([...flags, '-C', options.big, 'push', '-q', url, 'refs/heads/main'])
  }
  const ours = (i: number) => push(forge.credentials, forge.remote(names(i)))
  const theirs = (i: number) => push([], `${daemon.url}/${names(i)}.git`)
  await compare(
    'push of everything, one ref',
    { ours, theirs, rest: () => forge.untilIdle() },
    { times: options.times, most: WHOLE_MOST },
  )
}

/** Clones before and after: compaction must have kept up. */
export async function pushFifty(options: Options): Promise<void> {
  await using forge = await forgeWith(options.big)
  await using folder = await scratch()
  const work = join(folder.path, 'work.git')
  let tip = await borrow(options.big, work)
  const cloneTimes = async () => {
    const samples: number[] = []
    for (let i = 0; i < options.times + 1; i++) {
      const target = join(folder.path, `clone-${i}`)
      const environment = { GIT_USER_AGENT: `measure/${performance.now()}` }
      samples.push(
        await time(
          async () =>
            void (await git(['clone', '-q', '--bare', forge.remote('big'), target], { environment })),
        ),
      )
      await rm(target, { recursive: true })
    }
    return median(samples.slice(1))
  }
  await forge.untilIdle()
  const before = await cloneTimes()
  for (let i = 0; i < FIFTY; i++) {
    tip = await nextCommit(work, tip, `file-${i}`)
    await git([...forge.credentials, '-C', work, 'push', '-q', forge.remote('big'), `${tip}:refs/heads/main`])
  }
  const packs = await untilCompacted(forge)
  await forge.untilIdle()
  const after = await cloneTimes()
  console.log(`${packs} packs after ${FIFTY} pushes`)
  const ratio = after / before
  tell({ name: 'clone after fifty pushes', ours: after, theirs: before, ratio, most: AFTER_FIFTY_MOST })
}

async function untilCompacted(forge: MeasuredForge): Promise<number> {
  for (let waited = 0; ; waited += 500) {
    const [row] = await forge.query<{ packs: string }>(
      'select count(*) as packs from git_storage_pack where retired_at is null',
    )
    const packs = Number(row?.packs)
    if (packs <= PACKS_FEW || waited > COMPACTION_MS_MAX) return packs
    await sleep(500)
  }
}

/** Incompressible bytes, up to the largest pack that is accepted; memory is sampled meanwhile. */
export async function pushLarge(options: Options): Promise<void> {
  await using forge = await MeasuredForge.open()
  await using folder = await scratch()
  await forge.createRepository('big')
  const work = join(folder.path, 'work.git')
  await makeSmall(work)
  const file = join(folder.path, 'bytes')
  await writeNoise(file, options.mebibytes)
  const blob = await git(['-C', work, '-c', 'core.compression=0', 'hash-object', '-w', file])
  const tree = await git(['-C', work, 'mktree'], { input: `100644 blob ${blob}\tbytes\n` })
  const tip = await git(['-C', work, 'commit-tree', '-m', 'large', tree])
  const before = forge.memory()
  const most = { node: 0, children: 0 }
  const watch = setInterval(() => {
    const { node, children } = forge.memory()
    most.node = Math.max(most.node, node)
    most.children = Math.max(most.children, children)
  }, 100)
  const took = await time(async () => {
    await git([...forge.credentials, '-C', work, 'push', '-q', forge.remote('big'), `${tip}:refs/heads/main`])
  }).finally(() => clearInterval(watch))
  const toMib = (bytes: number) => Math.round(bytes / MIB)
  console.log(
    `push of ${options.mebibytes} MiB: ${Math.round(took / 1000)} s, node ${toMib(before.node)} MiB before, ` +
      `${toMib(most.node)} MiB at most, its git processes ${toMib(most.children)} MiB at most`,
  )
}

async function writeNoise(path: string, mebibytes: number): Promise<void> {
  const file = await open(path, 'w')
  for (let i = 0; i < mebibytes; i++) await file.write(randomFillSync(Buffer.alloc(MIB)))
  await file.close()
}

export async function scratch(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'bloomery-measure-work-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
