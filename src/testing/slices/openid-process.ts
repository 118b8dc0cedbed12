/** `oidc-provider`, a certified OpenID provider, as a process of a test: prints its issuer when it listens. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error: the package has no types
import Provider from 'oidc-provider'

const [redirectUri = '', users = '{}'] = process.argv.slice(2)
const accounts = JSON.parse(users) as Record<string, object>

const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const provider = new Provider(issuer, {
  clients: [{ client_id: 'forge', client_secret: 'a secret of the test', redirect_uris: [redirectUri] }],
  claims: {
    openid: ['sub'],
    profile: ['name', 'preferred_username', 'groups'],
    email: ['email', 'email_verified'],
  },
  findAccount: (_ctx: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: id, name: id, ...accounts[id] }),
  }),
  features: { devInteractions: { enabled: true } },
  pkce: { required: () => true },
})
server.on('request', provider.callback())
process.stdout.write(`${issuer}\n`)
// The test ends it by closing the pipe.
process.stdin.on('end', () => process.exit(0)).resume()
