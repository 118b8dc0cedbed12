/** The vocabulary of tests: users, HTTP calls, counted queries, jobs, a manual clock. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { digestOf } from '#domains/code/keys'
import { type Account, findAccount, insertAccount, keyOf } from '#domains/people/users'
import { startSession } from '#domains/sign-in/sessions'
import { deliverTo } from '#events/deliver'
import { Spawner, type SpawnRequest } from '#git'
import { runJobsOnce, type Work } from '#jobs'
import { type Context, transact, type World } from '#platform/context'
import type { Db } from '#platform/db'
import { must } from '#platform/must'
import type { Pool } from '#platform/pool'
import type { Method } from '#platform/rest'
import { Browser } from './browser.ts'

const DAY_MS = 86_400_000
const JOBS_PAUSE_MS = 50

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
  readonly body: any
}

export interface StartedGit {
  readonly words: readonly string[]
  readonly isRunning: boolean
}

export interface Clock {
  ms: number
}

export class Forge {
  /** An anonymous context, for calling verbs directly. */
  readonly ctx: Context
  readonly db: Db
  /** URLs of the first node, and of all of them. */
  readonly base: string
  readonly bases: readonly string[]
  readonly world: World
  readonly pool: Pool
  readonly work: Work
  private calls = 0
  private readonly clock: Clock
  private readonly queries: string[]
  private readonly dispose: () => Promise<void>
  private readonly tokens = new Map<string, string>()

  constructor(parts: {
    bases: readonly string[]
    world: World
    pool: Pool
    work: Work
    clock: Clock
    queries: string[]
    dispose: () => Promise<void>
  }) {
    this.bases = parts.bases
    this.base = parts.bases[0] ?? ''
    this.world = parts.world
    this.pool = parts.pool
    this.work = parts.work
    this.clock = parts.clock
    this.queries = parts.queries
    this.dispose = parts.dispose
    this.db = parts.world.db
    this.ctx = { ...parts.world, actor: null, signal: new AbortController().signal }
  }

  /** Advances the clock; it moves in no other way. */
  advance(ms: number): void {
    this.clock.ms += ms
  }

  /** Creates a user with a token for all scopes; `call` uses it by their login. */
  async person(login: string, facts: Partial<Account> = {}, scopes: string[] = ['all']): Promise<Account> {
    const token = randomBytes(20).toString('hex')
    this.tokens.set(login, token)
    const now = this.ctx.now()
    const { email = `${keyOf(login)}@example.test` } = facts
    const times = { last_login_at: null, created_at: now, updated_at: now }
    return transact(this.ctx, async (ctx) => {
      const row = { kind: 'user' as const, login, login_key: keyOf(login), email, ...times, ...facts }
      const account = await insertAccount(ctx.db, row)
      if (account === undefined) throw new Error(`${login} is there already`)
      const address = { account_id: account.id, email, email_key: email, is_primary: true }
      await ctx.db.insertInto('account_email').values(address).execute()
      const digest = digestOf(token)
      const bearer = { account_id: account.id, name: 'test', digest, last_eight: token.slice(-8), scopes }
      await ctx.db
        .insertInto('access_token')
        .values({ ...bearer, created_at: now, last_used_at: now })
        .execute()
      return account
    })
  }

  tokenOf(login: string): string {
    const token = this.tokens.get(login)
    if (token === undefined) throw new Error(`there is nobody called ${login}`)
    return token
  }

  /** One request over a real connection, to the nodes in turn. `path` is below /api/v1 unless it starts with two slashes. */
  async call(
    as: string | null,
    method: Method | 'HEAD',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const address = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`
    const base = this.bases[this.calls++ % this.bases.length]
    const response = await fetch(`${base}${address}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(as === null ? {} : { authorization: `token ${this.tokenOf(as)}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: parse(await response.text()) }
  }

  /** A signed-out browser. */
  browser(): Browser {
    return new Browser(() => this.bases[this.calls++ % this.bases.length] ?? '')
  }

  /** A browser signed in as a user. */
  async browserOf(login: string): Promise<Browser> {
    const browser = this.browser()
    const account = must(await findAccount(this.db, login), login)
    const from = { address: '127.0.0.1', agent: 'test' }
    browser.cookies.set('session', await startSession(this.ctx, account, ['password'], from))
    return browser
  }

  /** Counts the statements that `work` sends, or those that match. For lists: the number must not grow with the rows. */
  async countQueries(work: () => Promise<unknown>, matching = /^/): Promise<number> {
    return (await this.listQueries(work)).filter((sql) => matching.test(sql)).length
  }

  /** The statements that `work` sends, in order. */
  async listQueries(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.queries.length
    await work()
    return this.queries.slice(before)
  }

  /** The git processes that `work` starts. */
  async watchGit<T>(work: () => Promise<T>): Promise<{ answer: T; started: StartedGit[] }> {
    const { spawner } = this.world
    const started: StartedGit[] = []
    const start = mock.method(spawner, 'start', (wish: SpawnRequest) => {
      const { exited, ...more } = Spawner.prototype.start.call(spawner, wish)
      const git = { words: wish.words, isRunning: true }
      started.push(git)
      return { ...more, exited: exited.finally(() => Object.assign(git, { isRunning: false })) }
    })
    try {
      return { answer: await work(), started }
    } finally {
      start.mock.restore()
    }
  }

  async countGit(work: () => Promise<unknown>): Promise<number> {
    return (await this.watchGit(work)).started.length
  }

  /** Runs every job that is due. */
  runJobs(): Promise<void> {
    return runJobsOnce(this.ctx, this.pool, this.work)
  }

  /** Runs jobs until the request is answered: its answer waits for one of them. `isDue`: also those that wait to be retried. */
  async withJobs<T>(asking: Promise<T>, isDue = false): Promise<T> {
    let isAnswered = false
    const answered = asking.finally(() => {
      isAnswered = true
    })
    // The loop awaits other promises first.
    answered.catch(() => undefined)
    while (!isAnswered) {
      if (isDue) await this.makeJobsDue()
      await this.runJobs()
      await sleep(JOBS_PAUSE_MS)
    }
    return answered
  }

  /** Makes all jobs due: the queue uses PostgreSQL's clock, tests their own. */
  async makeJobsDue(): Promise<void> {
    await sql`update job set run_at = now() - interval '1 second'`.execute(this.db)
  }

  /** As a worker does that was taken for dead: delivers events to a consumer after another worker has ended the jobs. */
  async deliverLate(consumer: string): Promise<void> {
    const known = must(
      this.work.consumers.find(({ name }) => name === consumer),
      consumer,
    )
    const events = await this.db
      .selectFrom('event')
      .select('id')
      .where('subject', '=', known.subject)
      .execute()
    assert.ok(events.length > 0, 'there is nothing to deliver')
    const held = { id: 0, worker: 'gone', kind: 'deliver-to', is_serial: false, group_key: '' }
    const gone = { ...held, traceparent: null, may_have_more: false }
    for (const { id } of events)
      await deliverTo(this.ctx, new Map([[consumer, known]]), {
        ...gone,
        payload: { event_id: id, consumers: [consumer] },
      })
  }

  /** Runs a cron task. */
  runTask(name: string): Promise<void> {
    const task = this.work.tasks.find((it) => it.name === name)
    return must(task, name).run(this.ctx)
  }

  /** Deletes the objects discarded so far, as cron does a day later. */
  async deleteDiscarded(): Promise<void> {
    await this.runJobs()
    const task = this.work.tasks.find(({ name }) => name === 'delete_discarded_objects')
    const later = new Date(this.ctx.now().getTime() + DAY_MS + 1)
    await must(task, 'it is a task of every forge').run({ ...this.ctx, now: () => later })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}

function parse(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
