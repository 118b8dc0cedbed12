/** OAuth2 for tests: applications, browsers that authorize them, and the endpoints that applications call. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { Browser } from '../browser.ts'
import type { Forge } from '../forge.ts'

export const BACK = 'https://app.example.test/back'
export const LOOPBACK = 'http://127.0.0.1/callback'

export interface App {
  readonly id: number
  readonly client_id: string
  readonly client_secret: string
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly scope: string
}

type Params = Readonly<Record<string, string | undefined>>

export interface Told<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body & { readonly error?: string }
}

/** One application, as its own server sees the forge. */
export class Client {
  readonly verifier = randomBytes(32).toString('base64url')
  readonly challenge = createHash('sha256').update(this.verifier).digest('base64url')
  readonly forge: Forge
  readonly app: App
  readonly isPublic: boolean

  private constructor(forge: Forge, app: App, isPublic: boolean) {
    this.forge = forge
    this.app = app
    this.isPublic = isPublic
  }

  static async register(forge: Forge, owner: string, { isPublic = false, redirect = BACK } = {}) {
    const options = {
      name: `app of ${owner}`,
      redirect_uris: [isPublic ? LOOPBACK : redirect],
      confidential_client: !isPublic,
    }
    const { status, body } = await forge.call(owner, 'POST', '/user/applications/oauth2', options)
    assert.equal(status, 201)
    return new Client(forge, body, isPublic)
  }

  get redirect(): string {
    return this.isPublic ? LOOPBACK : BACK
  }

  /** The address of the page; undefined leaves a parameter out. */
  request(params: Params = {}): string {
    const all = {
      client_id: this.app.client_id,
      redirect_uri: this.redirect,
      response_type: 'code',
      scope: 'openid read:user',
      state: 'state-1',
      code_challenge: this.challenge,
      code_challenge_method: 'S256',
      ...params,
    }
    return `/login/oauth/authorize?${new URLSearchParams(defined(all))}`
  }

  /** The user authorizes it: the address that the browser is sent to. */
  async allow(browser: Browser, account: string, params: Params = {}): Promise<URL> {
    const { status, headers, text } = await browser.submit(this.request(params), 'allow', { account })
    assert.equal(status, 303, text)
    return new URL(headers.get('location') ?? '')
  }

  async code(browser: Browser, account: string, params: Params = {}): Promise<string> {
    const { searchParams } = await this.allow(browser, account, params)
    return searchParams.get('code') ?? assert.fail(`no code: ${searchParams}`)
  }

  async tokens(browser: Browser, account: string, params: Params = {}): Promise<Tokens> {
    const { status, body } = await this.exchange(await this.code(browser, account, params))
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  exchange(code: string, params: Params = {}): Promise<Told<Tokens>> {
    return this.post<Tokens>('access_token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirect,
      code_verifier: this.verifier,
      ...params,
    })
  }

  refresh(token: string, params: Params = {}): Promise<Told<Tokens>> {
    return this.post<Tokens>('access_token', { grant_type: 'refresh_token', refresh_token: token, ...params })
  }

  /** With the credentials of the application in the body, unless `params` say otherwise. */
  async post<Body>(path: string, params: Params, headers: Record<string, string> = {}): Promise<Told<Body>> {
    const { client_id, client_secret } = this.app
    const own = { client_id, ...(!this.isPublic && { client_secret }) }
    return post<Body>(this.forge, path, { ...own, ...params }, headers)
  }

  /** Status of a request with an access token. */
  async reach(token: string, path = '/user'): Promise<number> {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${this.forge.base}/api/v1${path}`, { headers })
    await response.arrayBuffer()
    return response.status
  }
}

export async function post<Body>(
  forge: Forge,
  path: string,
  params: Params,
  headers: Record<string, string> = {},
): Promise<Told<Body>> {
  const response = await fetch(`${forge.base}/login/oauth/${path}`, {
    method: 'POST',
    body: new URLSearchParams(defined(params)),
    headers,
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Told<Body>['body'],
  }
}

function defined(params: Params): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).filter((it): it is [string, string] => it[1] !== undefined),
  )
}
