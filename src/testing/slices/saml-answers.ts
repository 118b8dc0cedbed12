/** Answers of a SAML identity provider as a test wants them: right, wrong, and changed after they were signed. */
import { createRequire } from 'node:module'
import { makeCertificate } from '../certificate.ts'

interface Signer {
  addReference(facts: { xpath: string; transforms: readonly string[]; digestAlgorithm: string }): void
  computeSignature(xml: string, options: object): void
  getSignedXml(): string
}
// Not imported, because its types declare the globals of browsers everywhere.
const { SignedXml } = createRequire(import.meta.url)('xml-crypto') as {
  SignedXml: new (options: object) => Signer
}

const DS = 'http://www.w3.org/2000/09/xmldsig#'
export const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
export const METHODS = {
  rsaSha256: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  rsaSha1: `${DS}rsa-sha1`,
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha1: `${DS}sha1`,
}

/** Undefined leaves an element or attribute out. */
export interface Answer {
  readonly signs?: readonly ('assertion' | 'response')[]
  readonly key?: string
  readonly method?: string
  readonly digest?: string
  readonly issuer?: string
  readonly responseIssuer?: string
  readonly destination?: string | undefined
  readonly responseTo?: string | undefined
  readonly version?: string
  readonly status?: string
  readonly subject?: string
  readonly nameId?: string
  readonly format?: string
  readonly confirmation?: Readonly<Record<string, string | undefined>>
  readonly confirmationMethod?: string
  readonly conditions?: Readonly<Record<string, string | undefined>>
  readonly restriction?: string
  readonly authentication?: string
  readonly attributes?: Readonly<Record<string, readonly string[]>>
}

export interface Asked {
  readonly id: string
  readonly consumer: string
  readonly audience: string
  readonly now: Date
}

export class SamlAnswers {
  readonly issuer = 'https://id.example.test/metadata'
  readonly other = makeCertificate('other.example.test', 'rsa')
  readonly #own = makeCertificate('id.example.test', 'rsa')
  readonly saml = {
    entity_id: this.issuer,
    sso_url: 'https://id.example.test/sso?tenant=1',
    certificates: this.#own.cert,
  }

  write(asked: Asked, wanted: Answer = {}): string {
    const { signs = ['assertion'] } = wanted
    let xml = this.#response(asked, wanted)
    // The inner signature first: the outer one covers it.
    if (signs.includes('assertion')) xml = this.#sign(xml, 'a1', wanted)
    if (signs.includes('response')) xml = this.#sign(xml, 'r1', wanted)
    return xml
  }

  #response({ id, consumer, audience, now }: Asked, wanted: Answer): string {
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString()
    const { issuer = this.issuer, responseIssuer = issuer, nameId = 'sub-1', format = PERSISTENT } = wanted
    const {
      subject = `<saml:NameID Format="${format}">${nameId}</saml:NameID>`,
      restriction = `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`,
      authentication = `<saml:AuthnStatement AuthnInstant="${at(0)}"/>`,
      confirmationMethod = 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
      status = 'urn:oasis:names:tc:SAML:2.0:status:Success',
    } = wanted
    const head = attributesOf({
      Destination: 'destination' in wanted ? wanted.destination : consumer,
      InResponseTo: 'responseTo' in wanted ? wanted.responseTo : id,
    })
    const confirmation = attributesOf({
      Recipient: consumer,
      InResponseTo: id,
      NotOnOrAfter: at(120),
      ...wanted.confirmation,
    })
    const conditions = attributesOf({ NotBefore: at(-1), NotOnOrAfter: at(120), ...wanted.conditions })
    const statement = Object.entries({ uid: ['mallory'], ...wanted.attributes }).map(
      ([name, values]) =>
        `<saml:Attribute Name="${name}">${values.map((it) => `<saml:AttributeValue>${it}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
    )
    return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="r1" Version="2.0" IssueInstant="${at(0)}"${head}><saml:Issuer>${responseIssuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status><saml:Assertion ID="a1" Version="${wanted.version ?? '2.0'}" IssueInstant="${at(0)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject>${subject}<saml:SubjectConfirmation Method="${confirmationMethod}"><saml:SubjectConfirmationData${confirmation}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions${conditions}>${restriction}</saml:Conditions>${authentication}<saml:AttributeStatement>${statement.join('')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`
  }

  #sign(xml: string, id: string, { key = this.#own.key, method, digest }: Answer): string {
    const signer = new SignedXml({
      privateKey: key,
      signatureAlgorithm: method ?? METHODS.rsaSha256,
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    })
    signer.addReference({
      xpath: `//*[@ID='${id}']`,
      transforms: [`${DS}enveloped-signature`, 'http://www.w3.org/2001/10/xml-exc-c14n#'],
      digestAlgorithm: digest ?? METHODS.sha256,
    })
    const place = { reference: `//*[@ID='${id}']/*[local-name()='Issuer']`, action: 'after' }
    signer.computeSignature(xml, { prefix: 'ds', location: place })
    return signer.getSignedXml()
  }
}

function attributesOf(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${value}"`))
    .join('')
}

/** The parts of an answer, for wrapping attacks. */
export function partsOf(xml: string, owner: 'a1' | 'r1') {
  const [assertion = ''] = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml) ?? []
  const inner = owner === 'a1' ? assertion : xml
  const [signature = ''] = /<ds:Signature [\s\S]*?<\/ds:Signature>/.exec(inner) ?? []
  return { assertion, signature, bare: inner.replace(signature, ''), whole: inner }
}
