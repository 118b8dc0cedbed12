/** Turns references and mentions into links, in the HTML tree, outside of code and other links. */
import { type FoundWord, scanWords } from './words/find-words.ts'

/** Links by the key of the word. */
export interface Links {
  readonly siteUrl: string
  readonly byKey: ReadonlyMap<string, { readonly address: string; readonly kind: 'issue' | 'person' }>
}

/** The fields of a tree node that are used. */
export interface Node {
  readonly type: string
  readonly tagName?: string
  readonly value?: string
  readonly properties?: Record<string, unknown>
  /** For code in Markdown: its language. */
  readonly lang?: string
  /** For a node of Markdown: what its element gets. */
  readonly data?: unknown
  /** For a table: one entry for each column of its head. */
  readonly align?: readonly unknown[]
  children?: Node[]
}

/** Elements with literal text, or links. */
export const LEFT_ALONE = new Set(['a', 'code', 'pre', 'kbd', 'samp', 'tt', 'var'])
/** Compat: class names that clients know. */
const CLASS = { issue: 'ref-issue', person: 'mention' } as const

/**
 * Invariant: runs after sanitizing, and adds nothing of the text but the word itself: URLs are those of the forge.
 */
export function linkWords(node: Node, links: Links): void {
  if (links.byKey.size === 0 || LEFT_ALONE.has(node.tagName ?? '')) return
  if (node.children === undefined) return
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return split(child.value ?? '', links)
    linkWords(child, links)
    return child
  })
}

function split(text: string, links: Links): Node[] {
  const nodes: Node[] = []
  let at = 0
  for (const word of scanWords(text, links.siteUrl)) {
    const link = links.byKey.get(word.key)
    if (link === undefined) continue
    nodes.push(textNode(text.slice(at, word.start)), linkNode(text, word, link))
    at = word.end
  }
  nodes.push(textNode(text.slice(at)))
  return nodes.filter(({ value }) => value !== '')
}

function linkNode(
  text: string,
  { start, end }: FoundWord,
  { address, kind }: { readonly address: string; readonly kind: keyof typeof CLASS },
): Node {
  const properties = { href: address, className: [CLASS[kind]] }
  return { type: 'element', tagName: 'a', properties, children: [textNode(text.slice(start, end))] }
}

export function textNode(value: string): Node {
  return { type: 'text', value }
}
