/** Imports: an imported repository is complete, and a source cannot block the node that reads it. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import type { Person } from './kit/calls.ts'
import type { Forge } from './kit/forge.ts'
import { git } from './kit/git.ts'
import { memoryOf } from './kit/processes.ts'
import { type Source, startSource } from './kit/source.ts'

export const imports: readonly Attack[] = [
  {
    name: 'an-import-from-a-dumb-server',
    holds: 'a repository imported from a dumb server can be cloned, or is refused',
    seconds: 90,
    on: 'disk',
    isInCi: true,
    run: importFromDumbServer,
  },
  {
    name: 'an-import-of-empty-releases',
    holds: 'an import whose releases are 64 MB of nothing does not stop a node',
    seconds: 150,
    on: 'disk',
    isInCi: true,
    run: importEmptyReleases,
  },
]

async function importFromDumbServer(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const smart = await importAndClone(forge, ann, true)
  if (smart.cloned !== 0)
    throw new Error(`an import from a smart server gave ${smart.status}, its clone: ${smart.said}`)
  const { status, cloned, said } = await importAndClone(forge, ann, false)
  return status >= 300 || cloned === 0 ? undefined : `import ${status}, clone: ${said.slice(-120)}`
}

async function importAndClone(
  forge: Forge,
  who: Person,
  isSmart: boolean,
): Promise<{ status: number; cloned: number; said: string }> {
  const source = await startSource(forge, { isSmart })
  const name = forge.name('imported')
  try {
    const plain = await git(forge.folder(), ['clone', '-q', source.url, '.'])
    if (plain.code !== 0) throw new Error(`the source itself cannot be cloned: ${plain.said}`)
    const { status } = await forge.call(who, 'POST', '/api/v1/repos/migrate', {
      clone_addr: source.url,
      repo_name: name,
    })
    const { code, said } = await git(forge.folder(), [
      'clone',
      '-q',
      forge.remote(who, `${who.name}/${name}`),
      '.',
    ])
    return { status, cloned: code, said }
  } finally {
    await source.close()
  }
}

const OBJECTS = 21_000_000
const LATE_S = 5
const MEMORY_MB_MAX = 1_000

async function importEmptyReleases(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const source = await startSource(forge, { isSmart: true, sendReleases: sendNothings })
  try {
    return await importAndWatch(forge, source, eve)
  } finally {
    await source.close()
  }
}

async function importAndWatch(forge: Forge, source: Source, eve: Person): Promise<string | undefined> {
  const body = { clone_addr: source.url, repo_name: 'huge', service: 'gitea', releases: true }
  let status = 0
  const importing = forge
    .call(eve, 'POST', '/api/v1/repos/migrate', body, { timeoutMs: 120_000 })
    .then((it) => (status = it.status))
  importing.catch(() => undefined)
  for (const end = performance.now() + 120_000; performance.now() < end && status === 0; await sleep(200)) {
    for (const base of [forge.base, forge.otherBase]) {
      const late = `${base}/healthz had no answer for ${LATE_S} s`
      const health = await forge
        .call(undefined, 'GET', '/healthz', undefined, { base, timeoutMs: LATE_S * 1000 })
        .catch(() => undefined)
      if (health === undefined) return late
    }
    const most = Math.max(...forge.pids.map(memoryOf))
    if (most > MEMORY_MB_MAX) return `a node took ${most} MB`
  }
  if (source.asked() === 0) throw new Error(`releases were never asked for; the import gave ${status}`)
  return undefined
}

/** `[{},{},…]`, in pieces. */
function sendNothings(response: ServerResponse): void {
  const piece = '{},'.repeat(OBJECTS / 100)
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': String(piece.length * 100 + 4),
  })
  response.write('[')
  for (let i = 0; i < 100; i++) response.write(piece)
  response.end('{}]')
}
