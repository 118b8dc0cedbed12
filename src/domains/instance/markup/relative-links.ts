/** Files name what lies beside them: their links and pictures lead there, and their headings can be linked to. */
import type { Node } from './link-words.ts'

/** Paths of this site, with a slash at their ends. */
export interface TextBase {
  /** Where links that begin with a slash begin: the whole tree. */
  readonly root: string
  /** The folder of the file, below the root. */
  readonly folder: string
  /** The same tree, for pictures. */
  readonly pictures: string
}

const HEADING = /^h[1-6]$/
/** An address of its own: of another site, or of a protocol. */
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i
/** Ids of a text are never those of the page around it. */
const OWN = 'user-content-'

/** Invariant: happens after everything that is not trusted was taken out; addresses stay below `base`. */
export function resolveLinks(tree: Node, base: TextBase): void {
  visit(tree, base, new Map())
}

function visit(node: Node, base: TextBase, seen: Map<string, number>): void {
  const { tagName = '', properties } = node
  if (properties !== undefined) {
    if (tagName === 'a') properties.href = follow(properties.href, base.root, base.folder)
    if (tagName === 'img') properties.src = follow(properties.src, base.pictures, base.folder)
    if (HEADING.test(tagName)) properties.id ??= nameOf(node, seen)
  }
  for (const child of node.children ?? []) visit(child, base, seen)
}

function follow(address: unknown, root: string, folder: string): unknown {
  if (typeof address !== 'string' || address === '' || ABSOLUTE.test(address)) return address
  if (address.startsWith('#'))
    return address.startsWith(`#${OWN}`) ? address : `#${OWN}${address.slice(1).toLowerCase()}`
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(address) ?? []
  const steps = path.startsWith('/') ? [] : folder.split('/')
  for (const step of path.split('/'))
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  return root + steps.filter((step) => step !== '').join('/') + rest
}

/** As other forges name headings: lower case, dashes for blanks, a number behind the second of one name. */
function nameOf(heading: Node, seen: Map<string, number>): string {
  const name = textOf(heading)
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  const before = seen.get(name) ?? 0
  seen.set(name, before + 1)
  return OWN + (before === 0 ? name : `${name}-${before}`)
}

function textOf({ value = '', children = [] }: Node): string {
  return value + children.map(textOf).join('')
}
