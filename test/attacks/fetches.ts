/** Fetches: a reader of a repository cannot crash the node, fill its disk or block others. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, Skip } from './kit/attack.ts'
import { askAndIgnore, assertAnswered, noise } from './kit/calls.ts'
import type { Forge } from './kit/forge.ts'
import { clone, commitFile, git, mustGit, run } from './kit/git.ts'
import { namelessOf } from './kit/processes.ts'
import { fetchRequest, UPLOAD_HEADERS, uploadHead } from './kit/protocol.ts'

export const fetches: readonly Attack[] = [
  {
    name: 'words-that-look-like-damage',
    holds: 'words of a client that look like damage harm neither the node nor others',
    seconds: 90,
    on: 'disk',
    isInCi: true,
    run: speakOfDamage,
  },
  {
    name: 'clones-that-nobody-reads',
    holds: 'clones that nobody reads stay within git.cache_bytes_max',
    seconds: 120,
    on: 'disk',
    // In CI: src/git/fetch/answer-cache.test.ts.
    run: leaveClonesUnread,
  },
  {
    name: 'a-clone-on-a-full-disk',
    holds: 'on a full disk a clone ends, well or not, and does not spin',
    seconds: 120,
    on: 'disk',
    // In CI: src/git/fetch/answer-cache.test.ts.
    isAlone: true,
    prepare: mountSmallDisk,
    run: cloneOnFullDisk,
  },
]

const WORDS = ['corrupt', 'missing', 'packfile', 'blob:corrupt', 'tree:missing']
const REQUESTS_MAX = 400
const ATTACK_MS = 20_000

/** Git repeats the request in its error message when it refuses it. */
async function speakOfDamage(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'small')
  const tip = await forge.tip(ann, repository)
  const began = performance.now()
  let sent = 0
  let isGone = false
  const isOver = () => isGone || sent >= REQUESTS_MAX || performance.now() - began > ATTACK_MS
  const ask = async () => {
    while (!isOver()) {
      const body = fetchRequest(tip, { agent: `x${sent}`, filter: WORDS[sent++ % WORDS.length] ?? '' })
      await forge
        .call(undefined, 'POST', `/${repository}.git/git-upload-pack`, body, {
          headers: UPLOAD_HEADERS,
          timeoutMs: 10_000,
        })
        .catch((error: NodeJS.ErrnoException) => {
          isGone ||= error.code === 'ECONNREFUSED'
        })
    }
  }
  const clones = { ok: 0, failed: 0 }
  const cloneAsOther = async () => {
    while (!isOver()) {
      const { code } = await git(forge.folder(), ['clone', '-q', forge.remote(undefined, repository), '.'])
      if (!isGone) clones[code === 0 ? 'ok' : 'failed'] += 1
    }
  }
  await Promise.all([ask(), ask(), ask(), ask(), cloneAsOther()])
  const seconds = Math.round((performance.now() - began) / 1000)
  const death = await forge.findDeath()
  if (death === undefined && clones.failed === 0) {
    if (clones.ok === 0) throw new Error('nobody else cloned meanwhile')
    return undefined
  }
  const others = `${clones.failed} of ${clones.ok + clones.failed} clones by others failed`
  return `${sent} anonymous requests in ${seconds} s: ${others}${death === undefined ? '' : `; ${death}`}`
}

const CLONE_MB = 20
const BUDGET_MB = 60
const CLONES = 12

/** Each request differs in irrelevant words, so that no two share an answer. */
async function leaveClonesUnread(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'unread')
  const folder = await clone(forge, eve, repository)
  const tip = await commitFile(folder, 'r', noise(CLONE_MB * 1_000_000))
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:main')
  const cacheFolder = join(forge.data, 'cache-small')
  const environment = {
    BLOOMERY_GIT_CACHE_FOLDER: cacheFolder,
    BLOOMERY_GIT_CACHE_BYTES_MAX: String(BUDGET_MB * 1_000_000),
  }
  const node = await forge.freshNode(environment)
  const sockets = Array.from({ length: CLONES }, (_, i) => {
    const words = i % 2 === 0 ? { agent: `x${i}` } : { filter: `blob:limit=${100 + i}m` }
    const body = fetchRequest(tip, words)
    return askAndIgnore(node.base, uploadHead(repository, body), body)
  })
  try {
    let most = 0
    // Twice the budget allows for any rounding.
    for (
      const end = performance.now() + 25_000;
      performance.now() < end && most <= BUDGET_MB * 2;
      await sleep(500)
    )
      most = Math.max(most, namelessOf(node.pid) + sizeOf(cacheFolder))
    await assertAnswered(sockets)
    return most > BUDGET_MB * 2
      ? `${CLONES} anonymous requests hold ${most} MB of disk, ${BUDGET_MB} are allowed`
      : undefined
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** MB below a folder; a file with two hard links counts once. */
function sizeOf(folder: string): number {
  const sizes = new Map<number, number>()
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false })
    if (stat?.isFile()) sizes.set(stat.ino, stat.blocks * 512)
  }
  return Math.round([...sizes.values()].reduce((sum, it) => sum + it, 0) / 1_000_000)
}

const DISK_MB = 24
const FULL_MB = 15

async function mountSmallDisk(data: string): Promise<() => Promise<void>> {
  if (process.getuid?.() !== 0) throw new Skip('only root can mount a small disk')
  const folder = join(data, 'cache-0')
  const { code, said } = await run('sh', [
    '-c',
    `mkdir '${folder}' && mount -t tmpfs -o size=${DISK_MB}m tmpfs '${folder}'`,
  ])
  if (code !== 0) throw new Skip(`a small disk cannot be mounted: ${said}`)
  return async () => void (await run('umount', ['-l', folder]))
}

/** The pack fits on the disk, the answer of a clone next to it does not. */
async function cloneOnFullDisk(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'full')
  const folder = await clone(forge, ann, repository)
  await commitFile(folder, 'r', noise(FULL_MB * 1_000_000))
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:main')
  const began = performance.now()
  const cloned = await git(forge.folder(), ['clone', '-q', forge.remote(ann, repository), '.'], 30_000)
  if (cloned.code === -1) return `a clone had no end in ${Math.round((performance.now() - began) / 1000)} s`
  const whole = await git(
    forge.folder(),
    ['clone', '-q', forge.remote(ann, repository, forge.otherBase), '.'],
    60_000,
  )
  return whole.code === 0
    ? undefined
    : `what was pushed cannot be cloned from the other node: ${whole.said.slice(-120)}`
}
