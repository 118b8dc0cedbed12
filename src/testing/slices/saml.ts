/** A SAML identity provider for tests: a real one as its own process, and browsers that sign in at it. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser, Sheet } from '../browser.ts'

const PROCESS = fileURLToPath(new URL('saml-process.ts', import.meta.url))
const SITE = 'http://forge.test'

export interface SamlUser {
  readonly nameId?: string
  readonly attributes?: Readonly<Record<string, readonly string[]>>
}

export class SamlProvider implements AsyncDisposable {
  /** Settings of a source. */
  readonly saml: { readonly entity_id: string; readonly sso_url: string; readonly certificates: string }
  private readonly address: string
  private readonly child: ChildProcess

  private constructor(
    child: ChildProcess,
    { address, certificate }: { address: string; certificate: string },
  ) {
    this.child = child
    this.address = address
    this.saml = { entity_id: `${address}/metadata`, sso_url: `${address}/sso`, certificates: certificate }
  }

  /** `users`: by the name that they sign in with there. */
  static async start(users: Readonly<Record<string, SamlUser>>): Promise<SamlProvider> {
    const words = [PROCESS, JSON.stringify(users)]
    const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'ignore'] })
    for await (const line of createInterface(child.stdout)) return new SamlProvider(child, JSON.parse(line))
    throw new Error('the provider did not start')
  }

  /** The provider reads the metadata of the forge. */
  async register(metadata: string): Promise<void> {
    const { status } = await fetch(`${this.address}/register`, { method: 'POST', body: metadata })
    assert.equal(status, 200)
  }

  /** The provider's page that a page of the forge leads to. */
  async begin(browser: Browser, path: string): Promise<string> {
    return (await browser.get(path)).headers.get('location') ?? ''
  }

  /** The form of the provider's page after the user has signed in there. */
  async answer(page: string, login: string): Promise<{ to: string; form: URLSearchParams }> {
    const at = new URL(page)
    at.searchParams.set('user', login)
    const shown = await (await fetch(at)).text()
    const [, action = ''] = /action="([^"]+)"/.exec(shown) ?? []
    const [, response = ''] = /name="SAMLResponse" value="([^"]+)"/.exec(shown) ?? []
    assert.ok(action.startsWith(SITE), shown.slice(0, 500))
    return { to: action.slice(SITE.length), form: new URLSearchParams({ SAMLResponse: response }) }
  }

  async signIn(browser: Browser, login: string, path: string): Promise<Sheet> {
    const { to, form } = await this.answer(await this.begin(browser, path), login)
    return browser.get(await deliver(browser, to, form))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin?.end()
    if (this.child.exitCode === null) await new Promise((resolve) => this.child.once('exit', resolve))
  }
}

/** A form of another site, so without cookies; returns where the browser goes next. */
export async function deliver(browser: Browser, to: string, form: URLSearchParams): Promise<string> {
  const cookies = [...browser.cookies]
  browser.cookies.clear()
  const { status, headers, text } = await browser.post(to, form, { 'sec-fetch-site': 'cross-site' })
  assert.equal(status, 303, text)
  assert.equal(headers.getSetCookie().length, 0)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return headers.get('location') ?? ''
}
