/** Names of SAML 2.0, of XML signatures, and of the algorithms that are accepted. */

export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'

export const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
export const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
export const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'

export const FORMATS = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const
/** Another one at each sign-in: it identifies no account. */
export const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** Without SHA-1, and without HMAC, whose key an attacker could choose. */
export const SIGNATURE_METHODS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
])
export const DIGEST_METHODS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])
const EXCLUSIVE_FORM = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const CANONICAL_FORMS: ReadonlySet<string> = new Set([EXCLUSIVE_FORM])
export const TRANSFORMS: ReadonlySet<string> = new Set([`${SIGNATURE}enveloped-signature`, EXCLUSIVE_FORM])

export const LENGTH_MAX = 512 * 1024
