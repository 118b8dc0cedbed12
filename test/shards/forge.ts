/**
 * Real nodes in front of the four databases: one on the instance, where members are removed over REST, and one on each
 * shard, where they write files and push. What the nodes of shards know of rights is the copy in their shard.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, openWorld } from '#cli'
import { issueToken } from '#domains/code/keys'
import { createUser, findAccount } from '#domains/people/users'
import type { Config } from '#platform/config'
import { must } from '#platform/must'
import { run } from '#testing/ssh'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { type Node, startNode } from '../../src/cli/node-process.ts'
import type { Cluster } from './cluster.ts'

const HOST = '127.0.0.1'
const OWNER = 'smith'
const MEMBER = 'jones'
const ORGANIZATION = 'works'
const REPOSITORY = 'anvil'
const REQUEST_MS_MAX = 120_000

type Person = typeof OWNER | typeof MEMBER

export class Forge implements AsyncDisposable {
  readonly shards: readonly Node[]
  private readonly instance: Node
  private readonly tokens: Readonly<Record<Person, string>>
  private readonly team: number
  private readonly stack: AsyncDisposableStack
  private files = 0

  private constructor(
    parts: Pick<Forge, 'shards'> & {
      instance: Node
      tokens: Readonly<Record<Person, string>>
      team: number
      stack: AsyncDisposableStack
    },
  ) {
    this.shards = parts.shards
    this.instance = parts.instance
    this.tokens = parts.tokens
    this.team = parts.team
    this.stack = parts.stack
  }

  /** After the shards have subscribed. */
  static async open(folder: string, cluster: Cluster): Promise<Forge> {
    await using stack = new AsyncDisposableStack()
    const shared: Partial<Config> = {
      'http.host': HOST,
      'http.url': `http://${HOST}`,
      'store.folder': join(folder, 'objects'),
      'secrets.keys': randomBytes(32).toString('hex'),
      'log.level': 'error',
    }
    const urls = [cluster.instance, ...cluster.shards].map(({ url }) => url)
    const tokens = await prepare({ ...shared, 'database.url': must(urls[0], 'instance') }, folder)
    await cluster.settle()
    for (const { pool } of cluster.shards)
      await pool.query('insert into account_count (account_id) select id from account on conflict do nothing')
    const ports = await findFreePorts(urls.length)
    const nodes: Node[] = []
    for (const [i, url] of urls.entries()) {
      const own = {
        'http.port': ports + i,
        'git.cache_folder': join(folder, `cache-${i}`),
        'database.url': url,
      }
      const node = await startNode({ ...shared, ...own })
      stack.defer(() => node.stop())
      nodes.push(node)
    }
    const [instance, ...shards] = nodes
    const at = must(instance, 'instance')
    await expectOk(send(at, tokens[OWNER], 'POST', '/orgs', { username: ORGANIZATION }))
    const made = await expectOk(
      send(at, tokens[OWNER], 'POST', `/orgs/${ORGANIZATION}/teams`, {
        name: 'writers',
        permission: 'write',
        units: ['repo.code'],
        includes_all_repositories: true,
      }),
    )
    const { id: team } = (await made.json()) as { id: number }
    const forge = new Forge({ instance: at, shards, tokens, team, stack: stack.move() })
    await forge.restore()
    await cluster.settle()
    for (const { pool } of cluster.shards)
      await pool.query('insert into account_count (account_id) select id from account on conflict do nothing')
    for (const shard of shards) {
      const body = { name: REPOSITORY, auto_init: true, default_branch: 'main' }
      await expectOk(send(shard, tokens[OWNER], 'POST', `/orgs/${ORGANIZATION}/repos`, body))
    }
    return forge
  }

  /** Resolves when the forge has answered that the member is removed. */
  async revoke(): Promise<void> {
    const path = `/teams/${this.team}/members/${MEMBER}`
    await expectOk(send(this.instance, this.tokens[OWNER], 'DELETE', path))
  }

  async restore(): Promise<void> {
    const path = `/teams/${this.team}/members/${MEMBER}`
    await expectOk(send(this.instance, this.tokens[OWNER], 'PUT', path))
  }

  /** The member commits a file over REST; whether the branch moved. */
  async writeFile(shard: Node): Promise<boolean> {
    this.files += 1
    const path = `/repos/${ORGANIZATION}/${REPOSITORY}/contents/file-${this.files}`
    const body = { content: Buffer.from('hot').toString('base64'), branch: 'main', message: 'Strike' }
    const answer = await send(shard, this.tokens[MEMBER], 'POST', path, body)
    if (answer.status === 201) return true
    if (answer.status === 403 || answer.status === 404) return false
    throw new Error(`${path} answered ${answer.status} ${await answer.text()}`)
  }

  /** The member pushes a new branch with git; whether git reports success. */
  async push(shard: Node): Promise<boolean> {
    const folder = await mkdtemp(join(tmpdir(), 'bloomery-git-'))
    const url = new URL(`${shard.url}/${ORGANIZATION}/${REPOSITORY}.git`)
    url.username = this.tokens[MEMBER]
    const git = (...words: string[]) =>
      run('git', ['-c', 'user.name=J', '-c', 'user.email=j@example.test', ...words], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', GIT_TERMINAL_PROMPT: '0' },
      })
    try {
      this.files += 1
      await git('init', '--quiet', '--initial-branch=main')
      await writeFile(join(folder, 'file'), String(this.files))
      await git('add', 'file')
      await git('commit', '--quiet', '--message=Strike')
      const { code } = await git('push', '--quiet', url.href, `main:branch-${this.files}`)
      return code === 0
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync()
  }
}

function send(node: Node, token: string, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${node.url}/api/v1${path}`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
  })
}

async function expectOk(asked: Promise<Response>): Promise<Response> {
  const answer = await asked
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status} ${await answer.text()}`)
  return answer
}

/** Both people on the instance, each with a token. */
async function prepare(settings: Partial<Config>, folder: string): Promise<Record<Person, string>> {
  const overrides = { ...settings, 'git.cache_folder': join(folder, 'cache-of-nobody') }
  const config = loadConfig({ environment: {}, overrides }).values
  const open = await openWorld(config, { listening: { host: HOST, port: 0 } })
  try {
    const ctx = { ...open.world, actor: null, signal: new AbortController().signal }
    const make = async (username: Person) => {
      const password = randomBytes(12).toString('hex')
      const email = `${username}@example.test`
      await createUser(ctx, { username, email, password, must_change_password: false })
      const account = must(await findAccount(ctx.db, username), username)
      return (await issueToken(ctx, account, { name: 'shards', scopes: ['all'] })).token
    }
    return { [OWNER]: await make(OWNER), [MEMBER]: await make(MEMBER) }
  } finally {
    await open.close()
  }
}
