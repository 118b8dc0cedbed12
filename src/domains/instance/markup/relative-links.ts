/** Resolves relative links and images of files, and gives headings ids. */
import type { Node } from './link-words.ts'

/** Paths of this site, each ending in a slash. */
export interface TextBase {
  /** The base of links that start with a slash: the whole tree. */
  readonly root: string
  /** The folder of the file, below the root. */
  readonly folder: string
  /** The same tree, for images. */
  readonly pictures: string
}

const HEADING = /^h[1-6]$/
/** A URL of another site or with a scheme. */
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i
/** The prefix of ids, so that they never equal ids of the page. */
const OWN = 'user-content-'

/** Invariant: runs after sanitizing; URLs stay below `base`. */
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

/** As other forges name headings: lower case, dashes for spaces, a number for repeated names. */
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
