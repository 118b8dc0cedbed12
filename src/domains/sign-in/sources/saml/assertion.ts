/** An assertion as data: of an element that was verified, and of nothing around it. In the thread. */
import { ASSERTION } from './names.ts'
import { attributeOf, childrenOf, type Element, onlyChild, Refused, textIn } from './parse.ts'

export interface Confirmation {
  readonly method: string | null
  readonly recipient: string | null
  readonly inResponseTo: string | null
  readonly notBefore: string | null
  readonly notOnOrAfter: string | null
}

export interface Assertion {
  readonly issuer: string
  readonly nameId: { readonly value: string; readonly format: string | null } | null
  readonly confirmations: readonly Confirmation[]
  readonly notBefore: string | null
  readonly notOnOrAfter: string | null
  /** One list for each restriction; all of them must name the forge. */
  readonly audiences: readonly (readonly string[])[]
  readonly attributes: Readonly<Record<string, readonly string[]>>
}

/** Conditions that restrict nothing that the forge does: it uses an assertion once, and passes none on. */
const HARMLESS = new Set(['OneTimeUse', 'ProxyRestriction'])

export function readAssertion(assertion: Element): Assertion {
  const child = (parent: Element, name: string) => onlyChild(parent, ASSERTION, name)
  const subject = child(assertion, 'Subject')
  const conditions = child(assertion, 'Conditions')
  if (subject === undefined || conditions === undefined)
    throw new Refused('its assertion has no subject or no conditions')
  if (childrenOf(assertion, ASSERTION, 'AuthnStatement').length === 0)
    throw new Refused('its assertion states no authentication')
  const nameId = child(subject, 'NameID')
  const restrictions = childrenOf(conditions).filter(({ localName }) => !HARMLESS.has(localName))
  if (restrictions.some((it) => it.localName !== 'AudienceRestriction' || it.namespaceURI !== ASSERTION))
    throw new Refused('its assertion has an unknown condition')
  return {
    issuer: textIn(child(assertion, 'Issuer')),
    nameId: nameId ? { value: textIn(nameId), format: attributeOf(nameId, 'Format') } : null,
    confirmations: childrenOf(subject, ASSERTION, 'SubjectConfirmation').map(confirmationOf),
    notBefore: attributeOf(conditions, 'NotBefore'),
    notOnOrAfter: attributeOf(conditions, 'NotOnOrAfter'),
    audiences: restrictions.map((it) => childrenOf(it, ASSERTION, 'Audience').map(textIn)),
    attributes: attributesOf(assertion),
  }
}

function confirmationOf(element: Element): Confirmation {
  const data = onlyChild(element, ASSERTION, 'SubjectConfirmationData')
  const fact = (name: string) => (data === undefined ? null : attributeOf(data, name))
  return {
    method: attributeOf(element, 'Method'),
    recipient: fact('Recipient'),
    inResponseTo: fact('InResponseTo'),
    notBefore: fact('NotBefore'),
    notOnOrAfter: fact('NotOnOrAfter'),
  }
}

/** Attributes with one name are one list. Values that contain elements are no text. */
function attributesOf(assertion: Element): Record<string, string[]> {
  const found = new Map<string, string[]>()
  for (const statement of childrenOf(assertion, ASSERTION, 'AttributeStatement'))
    for (const attribute of childrenOf(statement, ASSERTION, 'Attribute')) {
      const name = attributeOf(attribute, 'Name') ?? ''
      const values = childrenOf(attribute, ASSERTION, 'AttributeValue')
        .filter((it) => childrenOf(it).length === 0)
        .map(textIn)
      found.set(name, [...(found.get(name) ?? []), ...values])
    }
  return Object.fromEntries(found)
}
