/** What the forge says as a service provider: requests (HTTP-Redirect binding) and its metadata. */
import { deflateRawSync } from 'node:zlib'
import type { SamlSettings } from '../records/schemas.ts'
import { ASSERTION, FORMATS, POST_BINDING, PROTOCOL } from './names.ts'

interface Request {
  readonly id: string
  readonly at: Date
  /** Entity ID of the forge. */
  readonly issuer: string
  readonly consumer: string
}

export function requestAddress(settings: SamlSettings, { id, at, issuer, consumer }: Request): string {
  const { sso_url, name_id_format } = settings
  const xml = `<samlp:AuthnRequest xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="${id}" Version="2.0" IssueInstant="${at.toISOString()}" Destination="${escaped(sso_url)}" AssertionConsumerServiceURL="${escaped(consumer)}" ProtocolBinding="${POST_BINDING}"><saml:Issuer>${escaped(issuer)}</saml:Issuer><samlp:NameIDPolicy Format="${FORMATS[name_id_format]}" AllowCreate="true"/></samlp:AuthnRequest>`
  const address = new URL(sso_url)
  address.searchParams.set('SAMLRequest', deflateRawSync(xml).toString('base64'))
  return address.href
}

export function metadataXml(
  { name_id_format }: Pick<SamlSettings, 'name_id_format'>,
  { issuer, consumer }: Pick<Request, 'issuer' | 'consumer'>,
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(issuer)}">
  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL}">
    <NameIDFormat>${FORMATS[name_id_format]}</NameIDFormat>
    <AssertionConsumerService index="0" isDefault="true" Binding="${POST_BINDING}" Location="${escaped(consumer)}"/>
  </SPSSODescriptor>
</EntityDescriptor>
`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (mark) => ENTITIES[mark] ?? mark)
}
