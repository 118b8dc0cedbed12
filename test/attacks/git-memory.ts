/** Memory of git requests: bounded, in git and in the node. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import { askAndIgnore, assertAnswered, basic, type Person } from './kit/calls.ts'
import type { Forge } from './kit/forge.ts'
import { clone, commitFile, mustGit } from './kit/git.ts'
import { gitsOf, memoryOf, watch } from './kit/processes.ts'
import { DELIMITER, FLUSH, pkt, RECEIVE_HEADERS, uploadHead } from './kit/protocol.ts'

export const gitMemory: readonly Attack[] = [
  {
    name: 'a-pack-of-empty-lines',
    holds: 'a pack of 20 KB does not make git take gigabytes when commits are listed',
    seconds: 120,
    on: 'disk',
    isInCi: true,
    run: listCommitsOfManyLines,
  },
  {
    name: 'readers-of-a-large-file',
    holds: 'readers of a large file who read nothing hold little memory',
    seconds: 120,
    on: 'disk',
    // In CI: src/git/read/bounds.test.ts.
    run: readNothingOfLargeFile,
  },
  {
    name: 'a-hundred-readers',
    holds: 'however many read a file, processes of git are not as many',
    seconds: 90,
    on: 'disk',
    // In CI: src/git/read/bounds.test.ts.
    run: readByMany,
  },
  {
    name: 'a-push-of-many-options',
    holds: 'options of a push are bounded, whichever command announces them',
    seconds: 90,
    on: 'disk',
    isInCi: true,
    run: pushManyOptions,
  },
  {
    name: 'lists-of-many-refs',
    holds: 'many refs do not cost the node memory for each client that lists them',
    seconds: 150,
    on: 'disk',
    // Too long for CI: the refs have to be pushed first.
    run: listManyRefs,
  },
]

const GIT_MB_MAX = 600

/** Millions of empty lines are small in a pack and large in a diff. */
async function listCommitsOfManyLines(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'lines')
  const folder = await clone(forge, eve, repository)
  await forge.must(undefined, 'GET', `/api/v1/repos/${repository}/commits`)
  const lines = Buffer.alloc(20_000_000, '\n')
  const first = await commitFile(folder, 'f', lines)
  const second = await commitFile(folder, 'f', Buffer.concat([Buffer.from('a'), lines, Buffer.from('b')]))
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:main')
  for (const path of ['commits', `compare/${first}...${second}`]) {
    const stopped = new AbortController()
    const asking = forge.call(undefined, 'GET', `/api/v1/repos/${repository}/${path}`, undefined, {
      signal: stopped.signal,
    })
    const most = await mostOf(forge, asking, GIT_MB_MAX)
    stopped.abort()
    await asking.catch(() => undefined)
    if (most > GIT_MB_MAX) return `anonymous GET ${path}: one git took more than ${GIT_MB_MAX} MB`
  }
  return undefined
}

const READERS = 4
const READER_MB_MAX = 100

async function readNothingOfLargeFile(forge: Forge): Promise<string | undefined> {
  const sockets = await readNothing(forge, 200_000_000, READERS)
  try {
    const most = await mostOf(forge, sleep(15_000), READER_MB_MAX)
    await sleep(1_000)
    const each = gitsOf(forge.data)
      .map(({ pid }) => memoryOf(pid))
      .filter((it) => it > READER_MB_MAX)
    await assertAnswered(sockets)
    return most > READER_MB_MAX
      ? `${READERS} anonymous readers that read nothing: git takes ${each.join(', ') || most} MB`
      : undefined
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

const MANY = 100
const PROCESSES_MAX = 64

async function readByMany(forge: Forge): Promise<string | undefined> {
  const sockets = await readNothing(forge, 12_000_000, MANY)
  try {
    let most = 0
    await watch(sleep(15_000), () => {
      most = Math.max(most, gitsOf(forge.data).length)
      return most > PROCESSES_MAX
    })
    await assertAnswered(sockets)
    return most > PROCESSES_MAX
      ? `${MANY} anonymous readers that read nothing: more than ${PROCESSES_MAX} processes of git`
      : undefined
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Anonymous connections that have requested a file of zeros. */
async function readNothing(forge: Forge, bytes: number, readers: number): Promise<Socket[]> {
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'zeros')
  const folder = await clone(forge, eve, repository)
  await commitFile(folder, 'z', Buffer.alloc(bytes))
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:main')
  const head = `GET /api/v1/repos/${repository}/raw/z HTTP/1.1\nHost: x\n\n`
  return Array.from({ length: readers }, () => askAndIgnore(forge.base, head))
}

/** The largest git process during `work`; stops looking when it is too large. */
async function mostOf(forge: Forge, work: Promise<unknown>, enough: number): Promise<number> {
  let most = 0
  await watch(work, () => {
    for (const { pid } of gitsOf(forge.data)) most = Math.max(most, memoryOf(pid))
    return most > enough
  })
  return most
}

const EMPTY_PACK = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex')
const OPTIONS_MB = 240
/** A push may send 32 MB before its pack; git itself needs some memory. */
const OPTIONS_MB_MAX = 100

/** Git looks for capabilities after each command, not only after the first. */
async function pushManyOptions(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'options')
  const tip = await forge.tip(eve, repository)
  const create = (branch: string, capabilities: string) =>
    pkt(`${'0'.repeat(40)} ${tip} refs/heads/${branch}\0 ${capabilities}`)
  const ordinary = [create('c', 'report-status push-options agent=x'), FLUSH, pkt('x=y'), FLUSH, EMPTY_PACK]
  const path = `/${repository}.git/git-receive-pack`
  const taken = await forge.call(eve, 'POST', path, Buffer.concat(ordinary), { headers: RECEIVE_HEADERS })
  if (!taken.text.includes('ok refs/heads/c'))
    throw new Error(`an ordinary push with an option gave ${taken.text}`)
  const head = Buffer.concat([
    create('a', 'report-status side-band-64k agent=x'),
    create('b', 'push-options'),
    FLUSH,
  ])
  const option = pkt('o'.repeat(60_000))
  const count = Math.round((OPTIONS_MB * 1_000_000) / option.length)
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(forge.base).port) })
  let isOpen = true
  socket
    .on('error', () => undefined)
    .on('close', () => {
      isOpen = false
    })
    .resume()
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(eve)}\r\n` +
      `Content-Type: ${RECEIVE_HEADERS['content-type']}\r\nContent-Length: ${head.length + count * option.length + 1000}\r\n\r\n`,
  )
  socket.write(head)
  try {
    for (let sent = 0; sent < count && isOpen; sent += 100) {
      const written = new Promise((resolve) => socket.write(Buffer.concat(Array(100).fill(option)), resolve))
      // A forge that accepts no more may also stop reading.
      await Promise.race([
        written,
        sleep(5_000).then(() => {
          isOpen = false
        }),
      ])
      const most = Math.max(0, ...gitsOf(forge.data).map(({ pid }) => memoryOf(pid)))
      if (most > OPTIONS_MB_MAX)
        return `after ${Math.round((sent * option.length) / 1_000_000)} MB of options git takes ${most} MB`
    }
    return undefined
  } finally {
    socket.destroy()
  }
}

const REFS = 100_000
const REFS_FIRST = 1_000
const REFS_A_PUSH = 50_000
const REF_NAME = `refs/tags/${'long'.repeat(50)}`
const LISTERS = 40
const NODE_MB_MAX = 300

async function listManyRefs(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'refs')
  const made = await makeRefs(forge, eve, repository)
  // A node that received no push has nothing else in its memory.
  const { base, pid } = await forge.freshNode()
  const before = memoryOf(pid)
  let most = before
  const sockets = Array.from({ length: LISTERS }, (_, i) => {
    // Each request differs in irrelevant words, so that no two share an answer.
    const prefixes = ['ref-prefix refs/\n', `ref-prefix none-${i}\n`].map(pkt)
    const body = Buffer.concat([pkt('command=ls-refs\n'), DELIMITER, ...prefixes, FLUSH])
    return askAndIgnore(base, uploadHead(repository, body), body)
  })
  try {
    await watch(sleep(45_000), () => {
      most = Math.max(most, memoryOf(pid))
      return most - before > NODE_MB_MAX
    })
    await assertAnswered(sockets)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const said = `${LISTERS} anonymous lists of ${made} refs that nobody reads: the node grew from ${before} to ${most} MB`
  return most - before > NODE_MB_MAX ? said : undefined
}

/** As many as the forge accepts, up to a maximum. */
async function makeRefs(forge: Forge, who: Person, repository: string): Promise<number> {
  const tip = await forge.tip(who, repository)
  for (let made = 0, more = REFS_FIRST; ; made += more, more = REFS_A_PUSH) {
    if (made >= REFS) return made
    const lines = Array.from({ length: more }, (_, i) => {
      const capabilities = i === 0 ? '\0 report-status agent=x' : ''
      return pkt(`${'0'.repeat(40)} ${tip} ${REF_NAME}${made + i}${capabilities}`)
    })
    const body = Buffer.concat([...lines, FLUSH, EMPTY_PACK])
    const { text } = await forge.call(who, 'POST', `/${repository}.git/git-receive-pack`, body, {
      headers: RECEIVE_HEADERS,
    })
    if (text.includes('ok refs/tags/')) continue
    if (made === 0) throw new Error(`not even ${more} refs were taken: ${text.slice(0, 200)}`)
    return made
  }
}
