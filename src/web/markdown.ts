/** Markdown of users as HTML, rendered and sanitized by the slice `markup`, which is all that this file trusts. */
import type { TextBase } from '#domains/instance/markup'
import type { Context } from '#platform/context'
import { escapeText, type Html, html, type PageVisit, type Piece, trusted } from '#platform/page'
import { Problem } from '#platform/problem'
import { highlightCode } from './highlight/index.ts'
import { conversationWords as words } from './words/conversation.ts'

/** In comments line breaks are kept; in files and wiki pages they are not. */
type Mode = 'comment' | 'markdown' | 'wiki'

type Visit = Pick<PageVisit, 'ctx' | 'ask'>

interface Place {
  /** `owner/name` of the repository that references like `#12` resolve in. */
  readonly full_name: string
}

/** Text that cannot be rendered is shown as written. For a file, relative links resolve from its folder. */
export async function markdown(
  { ctx, ask }: Visit,
  text: string,
  place: Place | null,
  mode: Mode,
  base?: TextBase,
): Promise<Html> {
  if (text.trim() === '') return html``
  const asked = { text, mode, place: place?.full_name ?? '', ...(base && { base }) }
  try {
    const rendered = await ask('markupRenderText', {}, asked)
    return html`<div class="markdown">${await withColours(ctx, named(rendered))}</div>`
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return html`<pre class="markdown">${text}</pre>`
  }
}

/** A text, and the id of the form that its task boxes belong to if the viewer may tick them. */
interface BoxedText {
  readonly text: string
  readonly boxesOf?: string | undefined
}

/** Renders all comments of a page in a fixed number of queries. */
export async function markdownOfAll(
  { ctx, ask }: Visit,
  texts: readonly BoxedText[],
  place: Place,
): Promise<Html[]> {
  const asked = { texts: texts.map(({ text }) => text), place: place.full_name }
  const rendered = await ask('markupRenderTexts', {}, asked)
  const shown: Html[] = []
  for (const [i, { text, boxesOf }] of texts.entries()) {
    const it = rendered[i]
    shown.push(
      it === undefined
        ? html`<pre class="markdown">${text}</pre>`
        : html`<div class="markdown">${await withColours(ctx, named(it, boxesOf))}</div>`,
    )
  }
  return shown
}

const BOX = /<input type="checkbox"( checked)? disabled ?\/?>/g

/**
 * Adds labels to task boxes, and enables them if there is a form, which is sent their number; makes wide code
 * focusable by keyboard. Quotes are escaped in all texts and attributes, so only real boxes match; the replacement
 * for `pre` contains no quotes.
 */
function named(rendered: string, form?: string): string {
  let number = 0
  const sent = form === undefined ? 'disabled' : `form="${escapeText(form)}" name="task" data-sends`
  return rendered
    .replaceAll(BOX, (_, checked: string | undefined) => {
      const value = number++
      return `<input type="checkbox"${checked ?? ''} value="${value}" aria-label="${words.task(value + 1)}" ${sent}>`
    })
    .replaceAll('<pre>', '<pre tabindex=0>')
}

/** A fenced block with a language, as the renderer writes it; it contains nothing but text. */
const FENCE = /(<pre tabindex=0><code class="language-([\w+#-]{1,30})">)([^<]*)(<\/code><\/pre>)/g
const FENCES_MAX = 100

async function withColours(ctx: Context, rendered: string): Promise<Piece[]> {
  const pieces: Piece[] = []
  let at = 0
  for (const fence of [...rendered.matchAll(FENCE)].slice(0, FENCES_MAX)) {
    const [whole, open = '', language = '', text = '', close = ''] = fence
    pieces.push(trusted(rendered.slice(at, fence.index)))
    if (language === 'mermaid') pieces.push(diagram(plainText(text)))
    else pieces.push(trusted(open), await highlightCode(ctx, language, plainText(text)), trusted(close))
    at = fence.index + whole.length
  }
  return [...pieces, trusted(rendered.slice(at))]
}

const LOW_LINES = 4
const HIGH_LINES = 16

/** The box has its height before the island `diagrams.ts` draws the diagram, so that nothing moves. */
function diagram(text: string): Html {
  const lines = text.trimEnd().split('\n').length
  const size = lines <= LOW_LINES ? ' low' : lines >= HIGH_LINES ? ' high' : ''
  return html`<div class="diagram${size}"><pre tabindex=0><code>${text}</code></pre></div>`
}

/** The renderer escapes two characters in text, both as numeric references. */
function plainText(text: string): string {
  return text.replaceAll(/&#x([\dA-F]{1,4});/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
