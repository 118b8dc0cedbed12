/**
 * The shape that a signed response must have, checked before its signatures: one assertion at its one place, and signatures
 * of exactly the response and the assertion. Signature wrapping needs another shape. In the thread.
 */
import {
  ASSERTION,
  CANONICAL_FORMS,
  DIGEST_METHODS,
  PROTOCOL,
  SIGNATURE,
  SIGNATURE_METHODS,
  SUCCESS,
  TRANSFORMS,
} from './names.ts'
import { attributeOf, childrenOf, type Element, elementsOf, onlyChild, Refused } from './parse.ts'

export interface SignedParts {
  readonly signsResponse: boolean
  readonly signsAssertion: boolean
}

export function assertShape(response: Element): SignedParts {
  assertElement(response, PROTOCOL, 'Response')
  const all = elementsOf(response).map(({ element }) => element)
  const named = (name: string) => all.filter(({ localName }) => localName === name)
  if (all.some(({ localName }) => localName.startsWith('Encrypted'))) throw new Refused('it is encrypted')
  assertStatus(response)
  const [assertion, ...others] = named('Assertion')
  if (named('Response').length > 1 || assertion === undefined || others.length > 0)
    throw new Refused('it has not one assertion')
  assertElement(assertion, ASSERTION, 'Assertion')
  if (assertion.parentNode !== response) throw new Refused('its assertion is at the wrong place')
  assertIds(all)
  const signatures = named('Signature')
  const signsResponse = isSigned(response, signatures)
  const signsAssertion = isSigned(assertion, signatures)
  if (signatures.length !== Number(signsResponse) + Number(signsAssertion))
    throw new Refused('it has a signature at the wrong place')
  if (signatures.length === 0) throw new Refused('it has no signature')
  return { signsResponse, signsAssertion }
}

function assertElement(element: Element, namespace: string, name: string): void {
  if (element.localName !== name || element.namespaceURI !== namespace)
    throw new Refused(`it has no ${name} of SAML 2.0`)
  if (attributeOf(element, 'Version') !== '2.0') throw new Refused('it has another version')
}

function assertStatus(response: Element): void {
  const status = onlyChild(response, PROTOCOL, 'Status')
  const code = status && onlyChild(status, PROTOCOL, 'StatusCode')
  const value = code && attributeOf(code, 'Value')
  if (value !== SUCCESS) throw new Refused(`its status is ${String(value).slice(0, 100)}`)
}

/** Libraries look for `ID`, `Id`, `id` and `xml:id`. */
function assertIds(all: readonly Element[]): void {
  const ids = all.flatMap((element) =>
    ['ID', 'Id', 'id', 'xml:id'].flatMap((name) => attributeOf(element, name) ?? []),
  )
  if (new Set(ids).size !== ids.length) throw new Refused('it has an ID twice')
}

function isSigned(parent: Element, signatures: readonly Element[]): boolean {
  const [signature, ...others] = signatures.filter(({ parentNode }) => parentNode === parent)
  if (signature === undefined) return false
  if (others.length > 0) throw new Refused('it has two signatures of one element')
  assertSignature(signature, attributeOf(parent, 'ID') ?? '')
  return true
}

function assertSignature(signature: Element, id: string): void {
  const [info, value, ...more] = childrenOf(signature)
  const isKnown =
    signature.namespaceURI === SIGNATURE &&
    info?.localName === 'SignedInfo' &&
    value?.localName === 'SignatureValue' &&
    more.length <= 1 &&
    more.every(({ localName }) => localName === 'KeyInfo')
  if (!isKnown) throw new Refused('its signature has another form')
  const [form, method, reference, ...others] = childrenOf(info)
  if (reference?.localName !== 'Reference' || others.length > 0)
    throw new Refused('its signature has not one reference')
  assertAlgorithm(form, 'CanonicalizationMethod', CANONICAL_FORMS)
  assertAlgorithm(method, 'SignatureMethod', SIGNATURE_METHODS)
  if (!/^[A-Za-z_][\w.-]{0,255}$/.test(id) || attributeOf(reference, 'URI') !== `#${id}`)
    throw new Refused('its signature refers to another element')
  const [transforms, digest] = childrenOf(reference)
  const steps = transforms?.localName === 'Transforms' ? childrenOf(transforms) : []
  if (steps.length === 0 || steps.length > TRANSFORMS.size)
    throw new Refused('its signature has other transforms')
  for (const step of steps) assertAlgorithm(step, 'Transform', TRANSFORMS)
  assertAlgorithm(digest, 'DigestMethod', DIGEST_METHODS)
}

function assertAlgorithm(element: Element | undefined, name: string, allowed: ReadonlySet<string>): void {
  const algorithm = element?.localName === name ? attributeOf(element, 'Algorithm') : null
  if (element?.namespaceURI !== SIGNATURE || algorithm === null || !allowed.has(algorithm))
    throw new Refused(`its ${name} is ${String(algorithm).slice(0, 100)}`)
}
