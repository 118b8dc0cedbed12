/** The tools of a seed: REST as a user, git with a work tree. Nothing is written to the database directly. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { searchPath } from '#platform/config'

const run = promisify(execFile)
const CALL_MS_MAX = 60_000
/** The password of all users of a demo but the administrator. */
export const PASSWORD = 'demo1234'
/** Git ignores the settings of the user who runs `try`, such as signing every commit. */
const GIT_ENVIRONMENT = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' }

export interface ForgeAddress {
  readonly url: string
  /** The administrator's login and password. */
  readonly admin: string
  readonly password: string
}

export class SeededForge {
  readonly url: string
  readonly admin: string
  readonly adminPassword: string

  constructor({ url, admin, password }: ForgeAddress) {
    this.url = url
    this.admin = admin
    this.adminPassword = password
  }

  passwordOf(login: string): string {
    return login === this.admin ? this.adminPassword : PASSWORD
  }

  /** One REST call; anything but success aborts the seed. */
  // biome-ignore lint/suspicious/noExplicitAny: a seed knows what it has just made
  async call(as: string, method: string, path: string, body?: unknown): Promise<any> {
    const credentials = Buffer.from(`${as}:${this.passwordOf(as)}`).toString('base64')
    const answer = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_MS_MAX),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status} ${await answer.text()}`)
    return answer.headers.get('content-type')?.startsWith('application/json') ? answer.json() : null
  }

  /** Uploads a file, as browsers do. */
  async upload(as: string, path: string, name: string, text: string): Promise<void> {
    const credentials = Buffer.from(`${as}:${this.passwordOf(as)}`).toString('base64')
    const body = new FormData()
    body.append('attachment', new Blob([text]), name)
    const headers = { authorization: `Basic ${credentials}` }
    const signal = AbortSignal.timeout(CALL_MS_MAX)
    const answer = await fetch(`${this.url}/api/v1${path}`, { method: 'POST', headers, body, signal })
    if (!answer.ok) throw new Error(`POST ${path} answers ${answer.status} ${await answer.text()}`)
  }

  async person(login: string, more: object = {}): Promise<void> {
    await this.call(this.admin, 'POST', '/admin/users', {
      username: login,
      email: `${login}@example.test`,
      password: PASSWORD,
      must_change_password: false,
      ...more,
    })
  }

  /** The URL of a repository with user name and password. */
  cloneUrl(as: string, repository: string): string {
    const url = new URL(`${this.url}/${repository}.git`)
    url.username = as
    url.password = this.passwordOf(as)
    return url.href
  }

  /** Signs in as browsers do; returns the session cookie. */
  async signIn(
    login: string,
    password = this.passwordOf(login),
  ): Promise<{ name: string; value: string; url: string }> {
    const answer = await fetch(`${this.url}/user/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ form: 'sign-in', user_name: login, password }),
      signal: AbortSignal.timeout(CALL_MS_MAX),
    })
    const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(answer.headers.getSetCookie()[0] ?? '') ?? []
    if (answer.status !== 303 || value === '') throw new Error(`${login} cannot sign in: ${answer.status}`)
    return { name, value, url: this.url }
  }
}

/** A clone with a work tree, as the user that cloned it. */
export class WorkTree {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(as: string, remote: string): Promise<WorkTree> {
    const tree = new WorkTree(await mkdtemp(join(tmpdir(), 'bloomery-seed-')))
    await tree.git('init', '--quiet', '--initial-branch=main')
    await tree.git('config', 'user.name', as)
    await tree.git('config', 'user.email', `${as}@example.test`)
    await tree.git('remote', 'add', 'origin', remote)
    return tree
  }

  async git(...words: string[]): Promise<string> {
    const env = { ...searchPath(), ...GIT_ENVIRONMENT }
    const { stdout } = await run('git', words, { cwd: this.folder, env, maxBuffer: 64 * 1024 * 1024 })
    return stdout.trim()
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8')
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true })
      await writeFile(join(this.folder, name), text)
    }
  }

  async writeBytes(name: string, bytes: Buffer): Promise<void> {
    await mkdir(dirname(join(this.folder, name)), { recursive: true })
    await writeFile(join(this.folder, name), bytes)
  }

  async commit(message: string, files: Readonly<Record<string, string>>): Promise<string> {
    await this.write(files)
    await this.git('add', '--all')
    await this.git('commit', '--quiet', '-m', message)
    return this.git('rev-parse', 'HEAD')
  }

  async push(...refs: string[]): Promise<void> {
    await this.git('push', '--quiet', '--force', 'origin', ...refs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}
