/** `samlify` as an identity provider, a process of a test: prints its address and certificate when it listens. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { makeCertificate } from '../certificate.ts'

interface User {
  readonly nameId?: string
  readonly attributes?: Readonly<Record<string, readonly string[]>>
}
interface Samlify {
  readonly Constants: { readonly namespace: { readonly binding: Record<string, string> } }
  readonly SamlLib: {
    readonly defaultLoginResponseTemplate: { readonly context: string }
    replaceTagsByValue(template: string, tags: object): string
  }
  IdentityProvider(facts: object): {
    parseLoginRequest(
      sp: object,
      binding: string,
      request: object,
    ): Promise<{ extract: { request: { id: string; issueInstant: string } } }>
    createLoginResponse(
      sp: object,
      request: object,
      binding: string,
      user: object,
      fill: () => { id: string; context: string },
    ): Promise<{ context: string; entityEndpoint: string }>
  }
  ServiceProvider(facts: object): {
    readonly entityMeta: { getEntityID(): string; getAssertionConsumerService(binding: string): string }
  }
  setSchemaValidator(validator: object): void
}

// Not imported, because its types declare the globals of browsers everywhere.
const samlify = createRequire(import.meta.url)('samlify') as Samlify
const { SamlLib, Constants } = samlify
const users = JSON.parse(process.argv[2] ?? '{}') as Record<string, User>
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const VALID_MS = 120_000

samlify.setSchemaValidator({ validate: async () => 'not checked' })
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const { key, cert } = makeCertificate('id.company.test', 'rsa')
const provider = samlify.IdentityProvider({
  entityID: `${address}/metadata`,
  privateKey: key,
  signingCert: cert,
  requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  nameIDFormat: [PERSISTENT],
  singleSignOnService: [{ Binding: Constants.namespace.binding.redirect, Location: `${address}/sso` }],
  loginResponseTemplate: SamlLib.defaultLoginResponseTemplate,
})
/** By the entity ID that its metadata has. */
let forge: ReturnType<Samlify['ServiceProvider']> | undefined

server.on('request', async (request: IncomingMessage, answer) => {
  try {
    const { pathname, searchParams } = new URL(request.url ?? '', address)
    if (pathname === '/register') forge = samlify.ServiceProvider({ metadata: await text(request) })
    const page = pathname === '/sso' ? await signIn(searchParams) : 'registered'
    answer.writeHead(200, { 'content-type': 'text/html' }).end(page)
  } catch (error) {
    answer.writeHead(500).end(String(error))
  }
})
process.stdout.write(`${JSON.stringify({ address, certificate: cert })}\n`)
// The test ends it by closing the pipe.
process.stdin.on('end', () => process.exit(0)).resume()

async function signIn(query: URLSearchParams): Promise<string> {
  if (forge === undefined) throw new Error('no service provider is registered')
  const sent = { query: { SAMLRequest: query.get('SAMLRequest') } }
  const request = await provider.parseLoginRequest(forge, 'redirect', sent)
  const login = query.get('user') ?? ''
  const fill = () => fillIn(login, request.extract.request)
  const { context, entityEndpoint } = await provider.createLoginResponse(forge, request, 'post', {}, fill)
  return `<form method="post" action="${entityEndpoint}"><input type="hidden" name="SAMLResponse" value="${context}"></form>`
}

/** The clock of a test is the forge's, so the time is that of the request. */
function fillIn(
  login: string,
  request: { id: string; issueInstant: string },
): { id: string; context: string } {
  const { nameId = `id of ${login}`, attributes = {} } = users[login] ?? {}
  const meta = forge?.entityMeta
  const consumer = meta?.getAssertionConsumerService('post') ?? ''
  const now = Date.parse(request.issueInstant)
  const at = (ms: number) => new Date(now + ms).toISOString()
  const id = `_response${request.id}`
  const tags = {
    ID: id,
    AssertionID: `_assertion${request.id}`,
    Destination: consumer,
    SubjectRecipient: consumer,
    Audience: meta?.getEntityID(),
    Issuer: `${address}/metadata`,
    IssueInstant: at(0),
    ConditionsNotBefore: at(-1_000),
    ConditionsNotOnOrAfter: at(VALID_MS),
    SubjectConfirmationDataNotOnOrAfter: at(VALID_MS),
    NameIDFormat: PERSISTENT,
    NameID: nameId,
    InResponseTo: request.id,
    StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
  }
  const statements = SamlLib.defaultLoginResponseTemplate.context
    .replace(
      '{AuthnStatement}',
      `<saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext/></saml:AuthnStatement>`,
    )
    .replace('{AttributeStatement}', statementOf({ uid: [login], ...attributes }))
  return { id, context: SamlLib.replaceTagsByValue(statements, tags) }
}

function statementOf(attributes: Readonly<Record<string, readonly string[]>>): string {
  const element = (value: string) =>
    `<saml:AttributeValue xsi:type="xs:string">${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</saml:AttributeValue>`
  const each = Object.entries(attributes).map(
    ([name, values]) => `<saml:Attribute Name="${name}">${values.map(element).join('')}</saml:Attribute>`,
  )
  return `<saml:AttributeStatement>${each.join('')}</saml:AttributeStatement>`
}
