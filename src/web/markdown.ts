/** Texts of people as HTML: rendered and made safe by the slice `markup`, which is all that this file trusts. */
import type { TextBase } from '#domains/instance/markup'
import type { Context } from '#platform/context'
import { escapeText, type Html, html, type PageVisit, type Piece, trusted } from '#platform/page'
import { Problem } from '#platform/problem'
import { highlightCode } from './highlight/index.ts'
import { talkWords as words } from './words/en/talk.ts'

/** A comment keeps the ends of its lines; a file or a wiki page does not. */
type Mode = 'comment' | 'markdown' | 'wiki'

type Visit = Pick<PageVisit, 'ctx' | 'ask'>

interface Place {
  /** Owner and name of a repository, that words like `#12` are about. */
  readonly full_name: string
}

/** What cannot be rendered is shown as it was written. A file says where it lies, for what it names beside it. */
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

/** A text of a page, and the form that its boxes belong to, where somebody may tick them. */
interface BoxedText {
  readonly text: string
  readonly boxesOf?: string | undefined
}

/** Comments of one page, all at once: a fixed number of queries. */
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
 * Boxes of tasks say what they are, and can be ticked where there is a form for it, which is sent their number; code that is
 * wider than the page can be reached by keys. Quotes are escaped in every text and attribute, so only real boxes look like one;
 * and what is written for `pre` has none, wherever it may stand.
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

/** What the renderer makes of a fence with a language: nothing but text is in it. */
const FENCE = /(<pre tabindex=0><code class="language-([\w+#-]{1,30})">)([^<]*)(<\/code><\/pre>)/g
const FENCES_MAX = 100

async function withColours(ctx: Context, rendered: string): Promise<Piece[]> {
  const pieces: Piece[] = []
  let at = 0
  for (const fence of [...rendered.matchAll(FENCE)].slice(0, FENCES_MAX)) {
    const [whole, open = '', language = '', text = '', close = ''] = fence
    pieces.push(trusted(rendered.slice(at, fence.index) + open))
    pieces.push(await highlightCode(ctx, language, plainText(text)), trusted(close))
    at = fence.index + whole.length
  }
  return [...pieces, trusted(rendered.slice(at))]
}

/** The renderer escapes two letters in a text, both by their numbers. */
function plainText(text: string): string {
  return text.replaceAll(/&#x([\dA-F]{1,4});/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
