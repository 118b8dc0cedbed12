/** The actual state: read from PostgreSQL, from fresh clones, and from the list of processes. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RefsMovedEvent } from '#domains/code/repositories'
import type { ChaosForge, ChaosRepository } from './chaos-forge.ts'
import type { ChaosNode } from './chaos-node.ts'
import { git, tryGit } from './git.ts'
import type { Evidence } from './ledger.ts'
import type { SeenAct } from './news.ts'
import { readRefs, type Target } from './pusher.ts'

const ORPHAN_MS_MAX = 15_000
const ACTS_A_PAGE = 50

export async function readEvidence({ db }: ChaosForge, repo: ChaosRepository): Promise<Evidence> {
  const refs = await db
    .selectFrom('git_ref')
    .select(['name', 'oid'])
    .where('storage_id', '=', repo.storageId)
    .execute()
  const events = await db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'refs.moved')
    .orderBy('id')
    .execute()
  const { branches, tags } = await db
    .selectFrom('repository_count')
    .select(['branches', 'tags'])
    .where('repository_id', '=', repo.id)
    .executeTakeFirstOrThrow()
  return {
    refs: new Map(refs.map(({ name, oid }) => [name, oid])),
    events: events
      .map(({ payload }) => payload as RefsMovedEvent)
      .filter(({ repository_id }) => repository_id === repo.id)
      .map(({ updates }) => updates.map(({ name: ref, old, new: oid }) => ({ ref, old, new: oid }))),
    branches,
    tags,
  }
}

/** The feed of a repository, page by page, as shown to anyone. */
export async function readActs(
  forge: ChaosForge,
  node: ChaosNode,
  repo: ChaosRepository,
): Promise<SeenAct[]> {
  const acts: SeenAct[] = []
  for (let page = 1; ; page++) {
    const asked = `/repos/${repo.path}/activities/feeds?limit=${ACTS_A_PAGE}&page=${page}`
    const answer = await forge.call(node, 'GET', asked)
    if (answer.status !== 200) throw new Error(`${repo.path} has no feed: ${answer.status}`)
    const shown = (await answer.json()) as SeenAct[]
    acts.push(...shown)
    if (shown.length < ACTS_A_PAGE) return acts
  }
}

/** Clones all refs of a repository and compares them with the ledger. */
export async function checkClone(
  forge: ChaosForge,
  node: ChaosNode,
  { repo, ledger }: Target,
  options: { tries: number },
): Promise<string[]> {
  const folder = join(forge.folder, `clone-${randomUUID()}`)
  try {
    for (let tries = 1; ; tries++) {
      const cloned = await tryGit(forge.folder, [
        'clone',
        '--quiet',
        '--mirror',
        forge.gitUrl(node, repo),
        folder,
      ])
      if (cloned.code === 0) break
      if (tries === options.tries)
        return [`${repo.path} cannot be cloned from ${node.url}: ${cloned.complaint}`]
    }
    const checked = await tryGit(folder, ['fsck', '--connectivity-only', '--no-dangling'])
    const refs = readRefs(await git(folder, ['for-each-ref', '--format=%(objectname)%09%(refname)']))
    const broken =
      checked.code === 0 ? [] : [`git fsck of ${repo.path}: ${checked.output}${checked.complaint}`]
    return [...broken, ...ledger.checkRefs(refs)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Number of packs by kind: shows whether compaction ran. */
export async function countPacks({ db }: ChaosForge): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('git_pack')
    .select(['kind', (eb) => eb.fn.countAll<number>().as('packs')])
    .groupBy('kind')
    .execute()
  return Object.fromEntries(rows.map(({ kind, packs }) => [kind, packs]))
}

/** Git processes that outlived their node; they get a moment to notice. */
export async function findOrphans(forge: ChaosForge): Promise<string[]> {
  for (let waited = 0; ; waited += 500) {
    const found = await listProcesses(forge.nodes.map((node) => node.cacheFolder))
    if (found.length === 0 || waited > ORPHAN_MS_MAX) return found
    await sleep(500)
  }
}

/** Processes with one of these folders in their arguments, environment or working directory. */
async function listProcesses(folders: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (Number(id) === process.pid) continue
    const words = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    const environment = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')
    const place = await readlink(`/proc/${id}/cwd`).catch(() => '')
    if (
      folders.some(
        (folder) => words.includes(folder) || environment.includes(folder) || place.includes(folder),
      )
    )
      found.push(`${id}: ${words.replaceAll('\0', ' ')}`)
  }
  return found
}
