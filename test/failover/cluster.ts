/**
 * PostgreSQL with Patroni, etcd and HAProxy on ports of loopback, with the configurations of `docs/patroni`. HAProxy leads
 * every connection to the leader.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { findBinaries, giveToServer } from '../../src/cli/postgres.ts'
import { until } from '../attacks/kit/faults.ts'
import { Member } from './member.ts'

const HOST = '127.0.0.1'
const DOCS = new URL('../../docs/patroni/', import.meta.url)
const PASSWORD = 'CHANGE-ME'
const HOSTS = [11, 12, 13]
/** A loaded machine copies a database slowly. */
const JOINED_MS_MAX = 300_000
const ETCD_MS_MAX = 60_000

export type Mode = 'synchronous' | 'asynchronous'

export interface ClusterOptions {
  readonly folder: string
  readonly mode: Mode
  readonly members: number
  /** Bytes of WAL that a standby may lack, without `mode: synchronous`. */
  readonly lagMax?: number
  /** Of Patroni; those of `docs/patroni/patroni.yml` when absent. */
  readonly timing?: { readonly ttl: number; readonly loop_wait: number; readonly retry_timeout: number }
}

interface Standing {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | string
}

export class Cluster implements AsyncDisposable {
  readonly members: readonly Member[]
  readonly mode: Mode
  private readonly port: number
  private readonly stack: AsyncDisposableStack

  private constructor(parts: {
    members: readonly Member[]
    mode: Mode
    port: number
    stack: AsyncDisposableStack
  }) {
    this.members = parts.members
    this.mode = parts.mode
    this.port = parts.port
    this.stack = parts.stack
  }

  /** Ready when every member follows the leader. */
  static async open(options: ClusterOptions): Promise<Cluster> {
    await using stack = new AsyncDisposableStack()
    const { folder, mode } = options
    const first = await findFreePorts(3 + 2 * options.members)
    const [etcd, etcdPeer, proxy] = [first, first + 1, first + 2]
    stack.use(await startEtcd(join(folder, 'etcd'), etcd, etcdPeer))
    const ports = Array.from({ length: options.members }, (_, i) => ({
      port: first + 3 + 2 * i,
      restPort: first + 4 + 2 * i,
    }))
    const members: Member[] = []
    for (const [i, own] of ports.entries()) {
      const name = `pg${i + 1}`
      const home = join(folder, name)
      await mkdir(home)
      await giveToServer(home)
      const configuration = await patroniOf(options, { name, home, etcd, ...own })
      const member = await Member.open({ name, folder: home, configuration, ...own })
      stack.defer(() => member.stop())
      members.push(member)
      // The first one creates the cluster.
      if (i === 0) await until('the first member leads', async () => isLeading(member), JOINED_MS_MAX)
    }
    stack.use(await startHaproxy(folder, proxy, ports))
    const cluster = new Cluster({ members, mode, port: proxy, stack: stack.move() })
    await cluster.untilJoined()
    return cluster
  }

  url(database: string): string {
    return urlOf(this.port, database)
  }

  /** Waits for one, and for Patroni's and HAProxy's agreement about it. */
  async leader(): Promise<Member> {
    let found: Member | undefined
    await until(
      'a member leads',
      async () => {
        for (const member of this.members) if (await isLeading(member)) found = member
        return found !== undefined
      },
      JOINED_MS_MAX,
    )
    if (found === undefined) throw new Error('no member leads')
    return found
  }

  /** Every member streams from the leader, on its timeline; one of them synchronously if that is the mode. */
  async untilJoined(): Promise<void> {
    await until('every member follows the leader', () => this.isJoined(), JOINED_MS_MAX, 250)
  }

  async isJoined(): Promise<boolean> {
    const leader = await this.leader()
    const standings = await standingsOf(leader.restPort)
    const timeline = standings.find(({ role }) => role === 'leader')?.timeline
    const isSound = (it: Standing) =>
      /^(?:running|streaming)$/.test(it.state) &&
      it.timeline === timeline &&
      (it.role === 'leader' || it.lag === 0)
    if (standings.length !== this.members.length || timeline === undefined || !standings.every(isSound))
      return false
    if (this.mode === 'asynchronous') return true
    const waited = await leader.ask<{ ok: boolean }>(
      urlOf(leader.port, 'postgres'),
      `select exists (select from pg_stat_replication where sync_state = 'sync')
        and current_setting('synchronous_standby_names') <> '' as ok`,
    )
    return waited[0]?.ok ?? false
  }

  /** Past HAProxy. */
  directUrl(member: Member, database: string): string {
    return urlOf(member.port, database)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync()
  }
}

function urlOf(port: number, database: string): string {
  return `postgres://postgres:${PASSWORD}@${HOST}:${port}/${database}`
}

async function isLeading(member: Member): Promise<boolean> {
  return (await member.status('/primary')) === 200
}

async function standingsOf(restPort: number): Promise<Standing[]> {
  const answer = await fetch(`http://${HOST}:${restPort}/cluster`, { signal: AbortSignal.timeout(10_000) })
  return ((await answer.json()) as { members: Standing[] }).members
}

interface Place {
  readonly name: string
  readonly home: string
  readonly etcd: number
  readonly port: number
  readonly restPort: number
}

/** `docs/patroni/patroni.yml` with the addresses and folders of this member. */
async function patroniOf({ mode, timing, lagMax }: ClusterOptions, place: Place): Promise<string> {
  const { name, home, etcd, port, restPort } = place
  const text = (await readFile(new URL('patroni.yml', DOCS), 'utf8'))
    .replace('name: pg1', `name: ${name}`)
    .replaceAll(/(?:0\.0\.0\.0|10\.0\.0\.11):8008/g, `${HOST}:${restPort}`)
    .replaceAll(/(?:0\.0\.0\.0|10\.0\.0\.11):5432/g, `${HOST}:${port}`)
    .replace('10.0.0.21:2379', `${HOST}:${etcd}`)
    .replaceAll('10.0.0.0/24', `${HOST}/32`)
    .replace('synchronous_mode: true', `synchronous_mode: ${mode === 'synchronous'}`)
    .replace('/usr/lib/postgresql/15/bin', await findBinaries())
    .replace('/var/lib/postgresql/15/forge', join(home, 'data'))
    .replace('      parameters:', `      parameters:\n        unix_socket_directories: ${home}`)
  const timed = Object.entries({ ...timing, ...(lagMax && { maximum_lag_on_failover: lagMax }) }).reduce(
    (text, [key, value]) => text.replace(new RegExp(`(${key}: )\\d+`), `$1${value}`),
    text,
  )
  // The machine of a test must not restart.
  return timed.replace('mode: automatic', 'mode: "off"')
}

async function startEtcd(folder: string, port: number, peerPort: number): Promise<AsyncDisposable> {
  await mkdir(folder)
  const [client, peer] = [`http://${HOST}:${port}`, `http://${HOST}:${peerPort}`]
  const child = start('etcd', [
    '--enable-v2',
    ...['--data-dir', folder, '--name', 'etcd1', '--logger', 'zap', '--log-level', 'error'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `etcd1=${peer}`],
    // The disk of a busy machine is slow, and one member needs no other's heartbeat.
    ...['--heartbeat-interval', '1000', '--election-timeout', '10000', '--unsafe-no-fsync'],
  ])
  await until('etcd answers', () => isHealthy(client), ETCD_MS_MAX)
  return { [Symbol.asyncDispose]: () => end(child) }
}

async function isHealthy(client: string): Promise<boolean> {
  return fetch(`${client}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function startHaproxy(
  folder: string,
  port: number,
  members: readonly { port: number; restPort: number }[],
): Promise<AsyncDisposable> {
  const text = (await readFile(new URL('haproxy.cfg', DOCS), 'utf8'))
    .replace('127.0.0.1:5000', `${HOST}:${port}`)
    .replace('check port 8008 ', 'check ')
    .replaceAll(/^ {2}server pg\d 10\.0\.0\.(\d+):5432$/gm, (line, host) => {
      const own = members[HOSTS.indexOf(Number(host))]
      return own === undefined ? '' : `${line.split(' 10.')[0]} ${HOST}:${own.port} port ${own.restPort}`
    })
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, text)
  await chmod(file, 0o644)
  const child = start('haproxy', ['-q', '-db', '-f', file])
  return { [Symbol.asyncDispose]: () => end(child) }
}

function start(program: string, words: readonly string[]): ChildProcess {
  const path = `${process.env.PATH}:/usr/sbin`
  return spawn('setpriv', ['--pdeathsig', 'KILL', program, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: path },
    detached: true,
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
