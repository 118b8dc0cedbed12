/**
 * The cache: it is never authoritative, other users cannot read it, and processes that share it do not disturb each
 * other.
 */
import { type Dirent, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import { hold, noise } from './kit/calls.ts'
import type { Forge } from './kit/forge.ts'
import { clone, commitFile, git, mustGit } from './kit/git.ts'
import { childrenOf, isAlive } from './kit/processes.ts'
import { pushRequest, RECEIVE_HEADERS } from './kit/protocol.ts'

export const cache: readonly Attack[] = [
  {
    name: 'a-cache-deleted-under-a-push',
    holds: 'an acknowledged push is there, although the cache is deleted meanwhile',
    seconds: 120,
    on: 'disk',
    // In CI: test/chaos/chaos.test.ts and src/git/read/with-repository.test.ts.
    run: deleteUnderPush,
  },
  {
    name: 'killed-workers-and-their-cache',
    holds: 'what a killed worker leaves in the cache is used or removed by its successor',
    seconds: 120,
    on: 'disk',
    // In CI: src/git/cache/cache-folder.test.ts.
    run: killWorkers,
  },
  {
    name: 'two-processes-on-one-cache',
    holds: 'a second process on one cache folder does not take away what the first works on',
    seconds: 120,
    on: 'disk',
    // In CI: src/git/cache/cache-folder.test.ts.
    run: shareCacheFolder,
  },
  {
    name: 'packs-that-others-can-read',
    holds: 'other users of the machine cannot read packs in the cache',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: readCacheAsOther,
  },
]

const PUSHES_MAX = 60
const DELETING_MS = 75_000
/** The maximum time between git moving its pack into place and the forge publishing it. */
const DELETE_AFTER_MS_MAX = 60

async function deleteUnderPush(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'kept')
  const folder = await clone(forge, ann, repository)
  const deleting = new AbortController()
  const deleted = deletePacks(join(forge.data, 'cache-0'), deleting.signal)
  const outcomes = { ok: 0, refused: 0 }
  try {
    for (
      const end = performance.now() + DELETING_MS;
      outcomes.ok + outcomes.refused < PUSHES_MAX && performance.now() < end;
    ) {
      const pushed = await commitFile(folder, 'f', noise(64))
      const { code } = await git(folder, ['push', '-q', 'origin', 'HEAD:main'])
      if (code !== 0) {
        outcomes.refused += 1
        await mustGit(folder, 'reset', '-q', '--hard', 'HEAD~1')
        continue
      }
      outcomes.ok += 1
      const path = `/api/v1/repos/${repository}/git/commits/${pushed}?stat=false`
      const { status } = await forge.call(ann, 'GET', path, undefined, { base: forge.otherBase })
      if (status !== 200)
        return `push ${outcomes.ok + outcomes.refused} was acknowledged, its commit gives ${status} on the other node`
    }
  } finally {
    deleting.abort()
    await deleted
  }
  if (outcomes.ok === 0) throw new Error('no push was acknowledged')
  return undefined
}

/** Deletes packs a moment after they appeared, but not those that git is still writing. */
async function deletePacks(folder: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const packs = filesIn(folder).filter((path) => path.endsWith('.idx') && !/incoming|tmp_/.test(path))
    if (packs.length > 0) {
      await sleep(Math.random() * DELETE_AFTER_MS_MAX)
      for (const path of filesIn(folder))
        if (/\.(pack|idx)$/.test(path) && !/incoming|tmp_/.test(path)) rmSync(path, { force: true })
    }
    await sleep(1)
  }
}

/** Files below a folder; files deleted meanwhile are left out. */
function filesIn(folder: string): string[] {
  const entries = (path: string): Dirent[] => {
    try {
      return readdirSync(path, { withFileTypes: true })
    } catch {
      return []
    }
  }
  return entries(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

const WORKERS = 2
const KEPT_MB = 8

async function killWorkers(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'kept')
  const folder = await clone(forge, ann, repository)
  await commitFile(folder, 'r', noise(KEPT_MB * 1_000_000))
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:main')
  const cacheFolder = join(forge.data, 'cache-workers')
  const node = await forge.serve(['--workers', String(WORKERS)], { BLOOMERY_GIT_CACHE_FOLDER: cacheFolder })
  // After enough requests every process has read the repository.
  const warm = async () => {
    const path = `/api/v1/repos/${repository}/contents`
    for (let i = 0; i < 8; i++) await forge.must(ann, 'GET', path, undefined, { base: node.base })
  }
  await warm()
  const before = packsMb(cacheFolder)
  if (before < KEPT_MB) throw new Error(`the cache has ${before} MB only`)
  for (let round = 0; round < 2; round++) {
    const old = childrenOf(node.pid)
    for (const pid of old) process.kill(pid, 'SIGKILL')
    await untilAnswers(
      forge,
      node.base,
      () => childrenOf(node.pid).filter((pid) => !old.includes(pid) && isAlive(pid)).length,
    )
    await warm()
  }
  const after = packsMb(cacheFolder)
  return after > before * 1.5
    ? `the cache of ${WORKERS} processes grew from ${before} to ${after} MB by killing them twice`
    : undefined
}

async function untilAnswers(forge: Forge, base: string, count: () => number): Promise<void> {
  for (let calm = 0, tries = 0; calm < 4; tries++) {
    if (tries > 60) throw new Error('killed processes have no successors')
    await sleep(500)
    const ready = await forge
      .call(undefined, 'GET', '/readyz', undefined, { base, timeoutMs: 5_000 })
      .catch(() => undefined)
    calm = ready?.status === 200 && count() >= WORKERS ? calm + 1 : 0
  }
}

function packsMb(folder: string): number {
  const sizes = new Map<number, number>()
  for (const path of filesIn(folder)) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat !== undefined) sizes.set(stat.ino, stat.size)
  }
  return Math.round([...sizes.values()].reduce((sum, it) => sum + it, 0) / 1_000_000)
}

/** Processes split by `--role` read the same settings, so they get the same folder. */
async function shareCacheFolder(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'split')
  const environment = { BLOOMERY_GIT_CACHE_FOLDER: join(forge.data, 'cache-shared') }
  const http = await forge.serve(['--role', 'http'], environment)
  const folder = await clone(forge, ann, repository, http.base)
  const pushed = await commitFile(folder, 'f', noise(100_000))
  const body = await pushRequest(folder, 'main')
  const path = `/${repository}.git/git-receive-pack`
  const held = hold(http.base, { who: ann, method: 'POST', path }, body, 50, { headers: RECEIVE_HEADERS })
  await sleep(2_000)
  // Refusing to start is as good as leaving the folder alone.
  await forge.serve(['--role', 'worker'], environment).catch(() => undefined)
  await sleep(1_000)
  const { status, text } = await held.finish()
  const isMoved = (await forge.tip(ann, repository)) === pushed
  return isMoved
    ? undefined
    : `a push in flight failed when the worker started: ${status} ${text.replaceAll(/[^ -~]/g, '').slice(0, 120)}`
}

async function readCacheAsOther(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'closed', { private: true })
  await clone(forge, ann, repository)
  const caches = readdirSync(forge.data).filter((name) => name.startsWith('cache'))
  const packs = caches
    .flatMap((name) => filesIn(join(forge.data, name)))
    .filter((path) => path.endsWith('.pack'))
  if (packs.length === 0) throw new Error('no pack lies in a cache')
  const open = packs.filter((path) => mayOthersRead(forge.data, path))
  return open.length > 0
    ? `${open.length} of ${packs.length} packs can be read by everybody on the machine`
    : undefined
}

/** Others need access to every parent folder, and to the file. */
function mayOthersRead(root: string, path: string): boolean {
  const isPassable = (folder: string): boolean =>
    folder === root || ((statSync(folder).mode & 0o001) !== 0 && isPassable(join(folder, '..')))
  return (statSync(path).mode & 0o004) !== 0 && isPassable(join(path, '..'))
}
