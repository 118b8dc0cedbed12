/**
 * XML of an identity provider, in the thread: a small part of XML 1.0, without DTDs, entities, comments, CDATA sections
 * and processing instructions. What two parsers could read differently is refused.
 */
import { createRequire } from 'node:module'

/** What is used of a DOM. */
export interface Element {
  readonly nodeType: number
  readonly localName: string
  readonly namespaceURI: string | null
  readonly parentNode: Element | null
  readonly firstChild: Element | null
  readonly nextSibling: Element | null
  readonly textContent: string | null
  hasAttribute(name: string): boolean
  getAttribute(name: string): string
}

interface Xmldom {
  readonly DOMParser: new (options: {
    readonly errorHandler: Record<string, (message: string) => never>
  }) => {
    parseFromString(xml: string, type: string): { readonly documentElement: Element | null }
  }
}

/** Not imported, because its types declare the globals of browsers everywhere. */
const { DOMParser } = createRequire(import.meta.url)('@xmldom/xmldom') as Xmldom

const ELEMENTS_MAX = 20_000
const DEPTH_MAX = 30
const DECLARATION = /^<\?xml version="1\.0"(?: encoding="[Uu][Tt][Ff]-8")?(?: standalone="(?:yes|no)")? *\?>/
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/

export class Refused extends Error {}

export function parse(text: string): Element {
  const xml = text
    .replace(/^\uFEFF/, '')
    .replace(DECLARATION, '')
    .trim()
  if (/<[!?]/.test(xml)) throw new Refused('it has a DTD, a comment, CDATA or a processing instruction')
  if (REFERENCE.test(xml)) throw new Refused('it has an unknown entity')
  if ((xml.match(/</g)?.length ?? 0) > 2 * ELEMENTS_MAX) throw new Refused('it has too many elements')
  const fail = (message: string) => {
    throw new Refused(`it is not well-formed: ${message.slice(0, 200)}`)
  }
  const parser = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } })
  const root = parser.parseFromString(xml, 'text/xml').documentElement
  if (root === null) throw new Refused('it has no element')
  if (elementsOf(root).some(({ depth }) => depth > DEPTH_MAX)) throw new Refused('it is nested too deep')
  return root
}

interface Nested {
  readonly element: Element
  readonly depth: number
}

/** The element and all below it. */
export function elementsOf(root: Element): Nested[] {
  const found: Nested[] = [{ element: root, depth: 0 }]
  for (let at = 0; at < found.length; at++) {
    const { element, depth } = found[at] as Nested
    for (const child of childrenOf(element)) found.push({ element: child, depth: depth + 1 })
  }
  return found
}

export function childrenOf(parent: Element, namespace?: string, name?: string): Element[] {
  const children: Element[] = []
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType !== 1) continue
    const isWanted = name === undefined || (child.localName === name && child.namespaceURI === namespace)
    if (isWanted) children.push(child)
  }
  return children
}

/** Undefined if there is none; several are refused. */
export function onlyChild(parent: Element, namespace: string, name: string): Element | undefined {
  const [child, ...others] = childrenOf(parent, namespace, name)
  if (others.length > 0) throw new Refused(`it has several ${name} elements`)
  return child
}

/** Text of an element that contains nothing else. */
export function textIn(element: Element | undefined): string {
  if (element === undefined) return ''
  if (childrenOf(element).length > 0) throw new Refused(`${element.localName} contains elements`)
  return element.textContent ?? ''
}

export function attributeOf(element: Element, name: string): string | null {
  return element.hasAttribute(name) ? element.getAttribute(name) : null
}
