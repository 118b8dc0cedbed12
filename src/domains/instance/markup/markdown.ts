/** Renders untrusted Markdown to safe HTML. */
import rehypeRaw from 'rehype-raw'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import type { Link } from '#slices'
import { linkWords, type Node } from './link-words.ts'
import { remarkDollars } from './math/dollars.ts'
import { renderMath } from './math/render-math.ts'
import { resolveLinks, type TextBase } from './relative-links.ts'
import { replaceShort } from './short-words.ts'

export interface MarkdownOrder {
  readonly text: string
  /** Whether a line end is a line break, as in comments, or a space, as in documents. */
  readonly keepsLines: boolean
  /** The URL of the forge, to recognize its own pages in texts. */
  readonly siteUrl: string
  /** Links of references and mentions that the reader may see. */
  readonly links: readonly Link[]
  /** The location of a file's text, for its relative links. */
  readonly base?: TextBase | undefined
  /** Whether `[[Page]]` is a link to a page beside this one. */
  readonly isWiki?: boolean
  /** Whether formulas become MathML; clients of the API get their source. */
  readonly showsMath?: boolean
}

/** Removes these elements with their content, instead of showing the content as text. */
const SAFE = { ...defaultSchema, strip: ['script', 'style'] }
/** Compat: elements that get `dir="auto"`. */
const RUNNING = new Set(['p', 'ul', 'ol'])

export async function renderMarkdown(order: MarkdownOrder): Promise<string> {
  const { text, keepsLines, siteUrl, links, base, isWiki = false, showsMath = false } = order
  const markdown = keepsLines ? withLines : plain
  const tree = await markdown.run(markdown.parse(text))
  linkWords(tree, { siteUrl, byKey: new Map(links.map((link) => [link.key, link])) })
  replaceShort(tree, isWiki)
  if (showsMath) renderMath(tree)
  finish(tree)
  if (base !== undefined) resolveLinks(tree, base)
  return markdown.stringify(tree)
}

const plain = processor(false)
const withLines = processor(true)

function processor(keepsLines: boolean) {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkDollars)
    .use(keepsLines ? [remarkBreaks] : [])
    .use(() => (tree: Node) => assertCells(tree))
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(() => (tree: Node) => endLine(tree))
    .use(rehypeRaw)
    .use(rehypeSanitize, SAFE)
    .use(rehypeStringify, { closeSelfClosing: true, tightSelfClosing: true })
    .freeze()
}

/** A table pads each row to the width of its head, so 8 KB of text can produce a million cells. */
const CELLS_MAX = 20_000

function assertCells(node: Node, budget = { left: CELLS_MAX }): void {
  if (node.type === 'table') budget.left -= (node.align?.length ?? 0) * (node.children?.length ?? 0)
  if (budget.left < 0) throw new RangeError('tables have too many cells')
  for (const child of node.children ?? []) assertCells(child, budget)
}

/** Sets attributes of our own after sanitizing. */
function finish(node: Node): void {
  if (node.properties !== undefined && RUNNING.has(node.tagName ?? '')) node.properties.dir = 'auto'
  if (node.properties !== undefined && node.tagName === 'a') node.properties.rel = ['nofollow']
  for (const child of node.children ?? []) finish(child)
}

/** Compat: the output ends with a line feed, unless it ends with raw HTML. */
function endLine({ children }: Node): void {
  const last = children?.at(-1)
  if (last !== undefined && last.type !== 'raw') children?.push({ type: 'text', value: '\n' })
}
