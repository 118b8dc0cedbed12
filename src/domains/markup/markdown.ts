/** Markdown to HTML that is safe to show, whoever wrote it. */
import rehypeRaw from 'rehype-raw'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

export interface MarkdownOrder {
  readonly text: string
  /** Whether the end of a line is one, as in a comment, or a blank, as in a document. */
  readonly keepsLines: boolean
}

/** The little that is asked of a node of the tree. */
interface Node {
  readonly type: string
  readonly tagName?: string
  readonly value?: string
  readonly properties?: Record<string, unknown>
  readonly children?: Node[]
}

/** What a browser would not show is left out, and not shown as text. */
const SAFE = { ...defaultSchema, strip: ['script', 'style'] }
/** Compat: text runs in the direction its own letters have. */
const RUNNING = new Set(['p', 'ul', 'ol'])

export async function renderMarkdown({ text, keepsLines }: MarkdownOrder): Promise<string> {
  return String(await (keepsLines ? withLines : plain).process(text))
}

const plain = processor(false)
const withLines = processor(true)

function processor(keepsLines: boolean) {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(keepsLines ? [remarkBreaks] : [])
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(() => (tree: Node) => endLine(tree))
    .use(rehypeRaw)
    .use(rehypeSanitize, SAFE)
    .use(() => (tree: Node) => finish(tree))
    .use(rehypeStringify, { closeSelfClosing: true, tightSelfClosing: true })
    .freeze()
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
