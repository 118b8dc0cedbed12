/** REST routes that render texts. */
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { asSignedIn, type Route, readText, route } from '#platform/rest'
import { findLinks, homeIn } from './find-links.ts'
import type { TextBase } from './relative-links.ts'
import { render, TEXT_MAX } from './render.ts'

const fields = {
  Text: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  Mode: Type.Optional(
    Type.String({ maxLength: 20, description: 'render mode: gfm, markdown, comment, wiki or file' }),
  ),
  Context: Type.Optional(
    Type.String({ maxLength: 2048, description: 'context for links: owner and name of a repository' }),
  ),
  Wiki: Type.Optional(Type.Boolean({ deprecated: true })),
}
/** Compat: these fields begin with a capital letter. */
const MarkdownOption = Type.Object(fields, { title: 'MarkdownOption', minProperties: 1 })
const MarkupOption = Type.Object(
  { ...fields, FilePath: Type.Optional(Type.String({ maxLength: 2048 })) },
  { title: 'MarkupOption', minProperties: 1 },
)
const Html = Type.String({ description: 'rendered and sanitized HTML' })
/** A UTF-16 code unit takes at most three bytes in UTF-8; a surrogate pair takes four. */
const TEXT_BYTES_MAX = 3 * TEXT_MAX
const MARKDOWN = /\.(?:md|markdown|mdown|mkd|livemd)$/i

const rendering = {
  method: 'POST',
  tag: 'miscellaneous',
  scopes: [],
  open: asSignedIn,
} as const

export const renderingRoutes: readonly Route[] = [
  route({
    ...rendering,
    path: '/markdown',
    operationId: 'renderMarkdown',
    summary: 'Render Markdown as HTML',
    body: MarkdownOption,
    answers: { 200: Html },
    handle: async ({ ctx, body }) => asHtml(await renderAs(ctx, body)),
  }),
  route({
    ...rendering,
    path: '/markdown/raw',
    operationId: 'renderMarkdownRaw',
    summary: 'Render raw Markdown as HTML',
    takesFile: true,
    answers: { 200: Html },
    handle: async ({ ctx, upload }) => {
      const sent = await readText(upload?.content ?? null, TEXT_BYTES_MAX)
      if (sent.length > TEXT_MAX) throw invalid('text is too long')
      return asHtml(await renderAs(ctx, { Mode: 'markdown', Text: sent }))
    },
  }),
  route({
    ...rendering,
    path: '/markup',
    operationId: 'renderMarkup',
    summary: 'Render markup as HTML',
    body: MarkupOption,
    answers: { 200: Html },
    handle: async ({ ctx, body }) => {
      if (body.Mode === 'file' && !MARKDOWN.test(body.FilePath ?? '')) throw invalid('unsupported file type')
      return asHtml(await renderAs(ctx, body))
    },
  }),
]

/** Whether line ends are line breaks, by the mode of the request. */
const KEEPS_LINES: Readonly<Record<string, boolean>> = {
  '': false,
  gfm: false,
  markdown: false,
  wiki: false,
  file: false,
  comment: true,
}

interface Wish {
  readonly Text?: string
  readonly Mode?: string
  readonly Context?: string
}

/** What only pages have. */
interface PageOptions {
  readonly base?: TextBase | undefined
  readonly showsMath?: boolean
}

export async function renderAs(ctx: Context, wish: Wish, options: PageOptions = {}): Promise<string> {
  const { Mode: mode = '', Text: text = '', Context: place = '' } = wish
  const keepsLines = Object.hasOwn(KEEPS_LINES, mode) ? KEEPS_LINES[mode] : undefined
  if (keepsLines === undefined) throw invalid('unsupported render mode', { mode })
  if (text === '') return ''
  const links = await findLinks(ctx, text, homeIn(ctx, place))
  // Without a base the links would lead nowhere.
  const isWiki = options.base !== undefined && mode === 'wiki'
  return render(ctx, { text, keepsLines, ...links, ...options, isWiki })
}

function asHtml(html: string) {
  const policy = "default-src 'none'; sandbox"
  const headers = { 'content-type': 'text/html;charset=utf-8', 'content-security-policy': policy }
  return { status: 200 as const, body: html, headers }
}
