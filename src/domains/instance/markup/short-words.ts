/** Turns `:tada:` into its character, and `[[Page]]` of a wiki into a link, outside of code and links. */
import { CHARACTERS } from './emoji.ts'
import { LEFT_ALONE, type Node, textNode } from './link-words.ts'

const SHORT = /:([a-z\d_+-]{1,40}):|\[\[([^[\]|\n]{1,200})(?:\|([^[\]|\n]{1,200}))?\]\]/g

/** Invariant: runs after sanitizing; a link is a relative path, whatever the text contains. */
export function replaceShort(node: Node, isWiki: boolean): void {
  if (LEFT_ALONE.has(node.tagName ?? '') || node.children === undefined) return
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return split(child.value ?? '', isWiki)
    replaceShort(child, isWiki)
    return child
  })
}

function split(text: string, isWiki: boolean): Node[] {
  const nodes: Node[] = []
  let at = 0
  for (const found of text.matchAll(SHORT)) {
    const [whole, name = '', shown, page] = found
    const made = shown === undefined ? CHARACTERS.get(name) : isWiki && pageLink(shown, page ?? shown)
    if (made === undefined || made === false) continue
    nodes.push(textNode(text.slice(at, found.index)), typeof made === 'string' ? textNode(made) : made)
    at = found.index + whole.length
  }
  return at === 0 ? [textNode(text)] : [...nodes, textNode(text.slice(at))]
}

/** `[[Page]]` or, as GitHub and Gitea have it, `[[Text|Page]]`. */
function pageLink(shown: string, page: string): Node {
  const title = page.trim()
  // As `nameOfTitle` of the wiki names pages: dashes stand for spaces, unless the name ends with `.-`.
  const name = title.includes('-')
    ? `${encodeURIComponent(title)}.-`
    : encodeURIComponent(title.replaceAll(' ', '-'))
  // From the root, so that it cannot be mistaken for a scheme.
  const properties = { href: `/${name}` }
  return { type: 'element', tagName: 'a', properties, children: [textNode(shown.trim())] }
}
