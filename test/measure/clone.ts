/** Clones of a large repository, warm and cold, against a bare `git daemon`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDaemon } from './bare-git.ts'
import { compare } from './compare.ts'
import { git } from './git-client.ts'
import { MeasuredForge } from './measured-forge.ts'
import type { Options } from './options.ts'

/** Bare git's speed times 0.95. */
const WARM_MOST = 1 / 0.95
const COLLECTED_POLL_MS = 1_000

/** On the very same packs: the daemon serves the node's cached copy. */
export async function cloneWarm(options: Options): Promise<void> {
  await using forge = await forgeWith(options.big)
  await clone(forge.remote('big'), 'first')
  const copy = await forge.cachedRepository('big')
  await using daemon = await startDaemon(dirname(copy))
  const theirs = `${daemon.url}/${copy.slice(dirname(copy).length + 1)}`
  const ways = {
    ours: (i: number) => clone(forge.remote('big'), `ours-${i}`),
    theirs: (i: number) => clone(theirs, `theirs-${i}`),
  }
  await compare('clone, warm, as it was pushed', ways, { times: options.times, most: WARM_MOST })
  await collect(forge)
  await clone(forge.remote('big'), 'collected')
  await compare('clone, warm, collected', ways, { times: options.times, most: WARM_MOST })
  const shared = { ...ways, ours: () => clone(forge.remote('big'), 'the-same') }
  await compare('clone, the answer of which is still there', shared, { times: options.times })
}

/** With an empty cache on the node: all packs come from S3. The daemon has its packs. */
export async function cloneCold(options: Options): Promise<void> {
  await using forge = await forgeWith(options.big, ['--store', 's3'])
  await using daemon = await startDaemon(dirname(options.big))
  const theirs = `${daemon.url}/${options.big.slice(dirname(options.big).length + 1)}`
  const ways = {
    ours: async (i: number) => {
      await forge.forgetCache()
      await clone(forge.remote('big'), `ours-${i}`)
    },
    theirs: (i: number) => clone(theirs, `theirs-${i}`),
  }
  await compare('clone, cold from S3, as it was pushed', ways, { times: options.times })
  await collect(forge)
  await compare('clone, cold from S3, collected', ways, { times: options.times })
}

/** A forge that has the repository as `big`, with all its refs. */
export async function forgeWith(big: string, args: readonly string[] = []): Promise<MeasuredForge> {
  const forge = await MeasuredForge.open(args)
  try {
    await fill(forge, big)
    return forge
  } catch (error) {
    await forge[Symbol.asyncDispose]()
    throw error
  }
}

async function fill(forge: MeasuredForge, big: string): Promise<void> {
  await forge.createRepository('big')
  await git([...forge.credentials, '-C', big, 'push', '-q', forge.remote('big'), 'refs/heads/main'])
  const lines = (await git(['-C', big, 'for-each-ref', '--format=%(objectname) %(refname)'])).split('\n')
  const refs = lines.map((line) => ({ oid: line.slice(0, 40), name: line.slice(41) }))
  const others = refs.filter(({ name }) => name !== 'refs/heads/main')
  if (others.length > 0) await forge.createRefs('big', others)
  await forge.untilIdle()
}

/** The agent makes every request different, so that no answer is shared. */
async function clone(url: string, agent: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-clone-'))
  try {
    await git(['clone', '-q', '--bare', url, folder], { environment: { GIT_USER_AGENT: `measure/${agent}` } })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function collect(forge: MeasuredForge): Promise<void> {
  await forge.call('POST', '/admin/cron/git_gc_repos')
  for (;;) {
    const found = await forge.query(`select 1 from git_pack where kind = 'gc'`)
    if (found.length > 0) return forge.untilIdle()
    await sleep(COLLECTED_POLL_MS)
  }
}
