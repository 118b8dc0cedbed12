/** A SCIM client of an authentication source, for tests. */
import assert from 'node:assert/strict'
import type { Forge, Reply } from '#testing'

export class ScimTestClient {
  readonly source: number
  readonly token: string
  readonly tokenId: number
  readonly #forge: Forge

  /** `admin` adds the source, and a token for it. */
  static async of(forge: Forge, admin: string, name: string): Promise<ScimTestClient> {
    const added = await forge.call(admin, 'POST', '/admin/auths', {
      name,
      secret: 'secret',
      oidc: { issuer: `https://${name}.example.test`, client_id: 'forge' },
    })
    assert.equal(added.status, 201, JSON.stringify(added.body))
    return ScimTestClient.for(forge, admin, added.body.id)
  }

  /** Of a source that exists. */
  static async for(forge: Forge, admin: string, source: number): Promise<ScimTestClient> {
    const path = `/admin/auths/${source}/scim_tokens`
    const { body, status } = await forge.call(admin, 'POST', path, { name: 'provisioning' })
    assert.equal(status, 201, JSON.stringify(body))
    return new ScimTestClient(forge, source, body)
  }

  private constructor(forge: Forge, source: number, { id, token }: { id: number; token: string }) {
    this.#forge = forge
    this.source = source
    this.tokenId = id
    this.token = token
  }

  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    return this.#forge.call(null, method, `//scim/v2${path}`, body, {
      authorization: `Bearer ${this.token}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    })
  }

  /** Creates a user whose subject is `${userName}-subject`. */
  async user(userName: string, more: object = {}): Promise<Reply['body']> {
    const { status, body } = await this.call('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      externalId: `${userName}-subject`,
      active: true,
      ...more,
    })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }

  /** A user for an account that exists and signs in with the source. Returns the id of the user. */
  async adopt(account: { readonly id: number; readonly login: string }): Promise<string> {
    const subject = `${account.login}-subject`
    const row = { source_id: this.source, subject, account_id: account.id, login: account.login, email: '' }
    const times = {
      created_at: this.#forge.ctx.now(),
      last_used_at: null,
      checked_at: null,
      removed_at: null,
    }
    await this.#forge.db
      .insertInto('external_identity')
      .values({ ...row, ...times })
      .execute()
    return (await this.user(account.login)).id
  }

  patch(path: string, ...operations: readonly object[]): Promise<Reply> {
    return this.call('PATCH', path, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: operations,
    })
  }
}
