/** An OpenID provider of an attacker, or with a mistake: everything it answers can be changed. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'

export type Claims = Readonly<Record<string, unknown>>

/** What it does otherwise than an honest provider. */
export interface Tricks {
  readonly metadata?: Claims
  /** Claims of the ID token; undefined ones are left out. */
  readonly claims?: Claims
  readonly userinfo?: Claims
  /** The whole ID token. */
  readonly idToken?: (claims: Claims) => string | Promise<string>
  /** Signs with a key that it does not publish. */
  readonly signsWithOther?: boolean
  /** The whole answer of the token endpoint, or of discovery. */
  readonly tokenAnswer?: (response: ServerResponse) => void
  readonly discovery?: (response: ServerResponse) => void
}

export class HostileProvider implements AsyncDisposable {
  tricks: Tricks = {}
  /** Bodies that the token endpoint received. */
  readonly exchanged: URLSearchParams[] = []
  readonly issuer: string
  /** Nonce of the request that is answered. */
  nonce = ''
  now = 0
  private readonly server: Server
  private readonly keys: readonly { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey }[]

  private constructor(server: Server, keys: HostileProvider['keys']) {
    this.server = server
    this.keys = keys
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => {
      this.answer(request, response).catch(() => response.destroy())
    })
  }

  static async start(): Promise<HostileProvider> {
    const server = createServer().listen(0, '127.0.0.1')
    const keys = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
    if (!server.listening) await once(server, 'listening')
    return new HostileProvider(server, keys)
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { issuer, tricks } = this
    const json = (value: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    switch (request.url) {
      case '/.well-known/openid-configuration':
        if (tricks.discovery !== undefined) return tricks.discovery(response)
        return void json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          userinfo_endpoint: `${issuer}/me`,
          response_types_supported: ['code'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...tricks.metadata,
        })
      case '/keys': {
        const [published] = this.keys
        const key = published && (await exportJWK(published.publicKey))
        return void json({ keys: [{ ...key, kid: 'one', alg: 'RS256', use: 'sig' }] })
      }
      case '/me':
        return void json({ sub: 'sub-1', ...tricks.userinfo })
      default: {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        this.exchanged.push(new URLSearchParams(Buffer.concat(chunks).toString()))
        if (tricks.tokenAnswer !== undefined) return tricks.tokenAnswer(response)
        const id_token = await this.idToken()
        return void json({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token })
      }
    }
  }

  private async idToken(): Promise<string> {
    const { now, tricks } = this
    const honest = {
      iss: this.issuer,
      aud: 'forge',
      sub: 'sub-1',
      iat: now,
      exp: now + 60,
      nonce: this.nonce,
    }
    const claims = { ...honest, preferred_username: 'mallory', ...tricks.claims }
    if (tricks.idToken !== undefined) return tricks.idToken(claims)
    const key = this.keys[tricks.signsWithOther ? 1 : 0]
    if (key === undefined) throw new Error('no key')
    return new SignJWT(claims as never).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key.privateKey)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}
