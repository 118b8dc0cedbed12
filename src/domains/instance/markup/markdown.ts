/** Markdown to HTML that is safe to show, whoever wrote it. */
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
import { resolveLinks, type TextBase } from './relative-links.ts'

export interface MarkdownOrder {
  readonly text: string
  /** Whether the end of a line is one, as in a comment, or a blank, as in a document. */
  readonly keepsLines: boolean
  /** The address of the forge, under which its pages are known in texts. */
  readonly siteUrl: string
  /** Words that lead somewhere, as far as the reader may see it. */
  readonly links: readonly Link[]
  /** Where the text lies, if it is a file: what it names lies beside it. */
  readonly base?: TextBase | undefined
}

/** What a browser would not show is left out, and not shown as text. */
const SAFE = { ...defaultSchema, strip: ['script', 'style'] }
/** Compat: text runs in the direction its own letters have. */
const RUNNING = new Set(['p', 'ul', 'ol'])

export async function renderMarkdown(order: MarkdownOrder): Promise<string> {
  const { text, keepsLines, siteUrl, links, base } = order
  const markdown = keepsLines ? withLines : plain
  const tree = await markdown.run(markdown.parse(text))
  linkWords(tree, { siteUrl, byKey: new Map(links.map((link) => [link.key, link])) })
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
    .use(keepsLines ? [remarkBreaks] : [])
    .use(() => (tree: Node) => assertCells(tree))
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(() => (tree: Node) => endLine(tree))
    .use(rehypeRaw)
    .use(rehypeSanitize, SAFE)
    .use(rehypeStringify, { closeSelfClosing: true, tightSelfClosing: true })
    .freeze()
}

/** A table fills each of its rows up to the width of its head, so that 8 KB of text can mean a million cells. */
const CELLS_MAX = 20_000

function assertCells(node: Node, budget = { left: CELLS_MAX }): void {
  if (node.type === 'table') budget.left -= (node.align?.length ?? 0) * (node.children?.length ?? 0)
  if (budget.left < 0) throw new RangeError('tables have too many cells')
  for (const child of node.children ?? []) assertCells(child, budget)
}

/** What is said of elements by us and by nobody else: after everything that is not trusted was taken out. */
function finish(node: Node): void {
  if (node.properties !== undefined && RUNNING.has(node.tagName ?? '')) node.properties.dir = 'auto'
  if (node.properties !== undefined && node.tagName === 'a') node.properties.rel = ['nofollow']
  for (const child of node.children ?? []) finish(child)
}

/** Compat: a text ends with a line feed, unless it ends with something that was written as HTML. */
function endLine({ children }: Node): void {
  const last = children?.at(-1)
  if (last !== undefined && last.type !== 'raw') children?.push({ type: 'text', value: '\n' })
}
