/** OpenID providers for tests: a real one as its own process, and browsers that sign in at it. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser, Sheet } from '../browser.ts'

const PROCESS = fileURLToPath(new URL('openid-process.ts', import.meta.url))
const SITE = 'http://forge.test'
const HOPS_MAX = 20

export class OpenIdProvider implements AsyncDisposable {
  readonly issuer: string
  readonly oidc: { readonly issuer: string; readonly client_id: string }
  readonly secret = 'a secret of the test'
  private readonly child: ChildProcess

  private constructor(child: ChildProcess, issuer: string) {
    this.child = child
    this.issuer = issuer
    this.oidc = { issuer, client_id: 'forge' }
  }

  /** `users`: claims by the name that they sign in with there. */
  static async start(source: string, users: Readonly<Record<string, object>>): Promise<OpenIdProvider> {
    const words = [PROCESS, `${SITE}/user/oauth2/${source}/callback`, JSON.stringify(users)]
    const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'ignore'] })
    for await (const line of createInterface(child.stdout)) return new OpenIdProvider(child, line)
    throw new Error('the provider did not start')
  }

  /** From a page of the forge through the provider's forms, back to the forge. */
  async signIn(browser: Browser, login: string, path: string): Promise<Sheet> {
    let at = (await browser.get(path)).headers.get('location') ?? ''
    const cookies = new Map<string, string>()
    for (let hops = 0; hops < HOPS_MAX; hops++) {
      if (at.startsWith(SITE)) return browser.get(at.slice(SITE.length))
      const answer = await this.visit(at, cookies)
      const to = answer.headers.get('location')
      if (to !== null) at = new URL(to, at).href
      else at = await this.submit(await answer.text(), login, cookies)
    }
    throw new Error('the provider redirects for ever')
  }

  private async submit(page: string, login: string, cookies: Map<string, string>): Promise<string> {
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? []
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? []
    assert.notEqual(action, '', page.slice(0, 500))
    const body = new URLSearchParams({ prompt, login, password: 'any' })
    const answer = await this.visit(new URL(action, this.issuer).href, cookies, { method: 'POST', body })
    return new URL(answer.headers.get('location') ?? '', this.issuer).href
  }

  private async visit(at: string, cookies: Map<string, string>, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { ...init, redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin?.end()
    if (this.child.exitCode === null) await new Promise((resolve) => this.child.once('exit', resolve))
  }
}
