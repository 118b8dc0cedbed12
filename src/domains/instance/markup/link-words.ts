/** Words that lead somewhere become links: in the tree that is shown, outside of code and of other links. */
import { type FoundWord, scanWords } from './words/find-words.ts'

/** What words lead to, by their key. */
export interface Links {
  readonly siteUrl: string
  readonly byKey: ReadonlyMap<string, { readonly address: string; readonly kind: 'issue' | 'person' }>
}

/** The little that is asked of a node of the tree. */
export interface Node {
  readonly type: string
  readonly tagName?: string
  readonly value?: string
  readonly properties?: Record<string, unknown>
  /** Of a table: one for each column of its head. */
  readonly align?: readonly unknown[]
  children?: Node[]
}

/** Shown as it was typed, or a link already. */
const LEFT_ALONE = new Set(['a', 'code', 'pre', 'kbd', 'samp', 'tt', 'var'])
/** Compat: the classes that clients know them by. */
const CLASS = { issue: 'ref-issue', person: 'mention' } as const

/**
 * Invariant: happens after everything that is not trusted was taken out, and adds nothing of the text but the word
 * itself: addresses are those of the forge.
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

function textNode(value: string): Node {
  return { type: 'text', value }
}
