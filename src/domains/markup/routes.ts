/** Texts as HTML over REST. */
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { asSignedIn, type Route, readText, route } from '#platform/rest'
import { findLinks, findLinksOfAll, homeIn } from './find-links.ts'
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
/** A character has three bytes at most, or is two with four. */
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

/** Whether the end of a line is one; by the name of what is rendered. */
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

/** For pages: the same text, for whoever looks. What it leads to is asked as them, the rest is kept for a while. */
export async function renderText(
  ctx: Context,
  text: string,
  mode: string,
  place: string,
  base?: TextBase,
): Promise<string> {
  return renderAs(ctx, { Text: text.slice(0, TEXT_MAX), Mode: mode, Context: place }, base)
}

/** The thread lets a visitor wait with so many texts and more. All of them come before a longer text of another visitor. */
const TOGETHER_MAX = 16

/** Many at once, as comments of one page: a fixed number of queries, and a text that cannot be rendered is undefined. */
export async function renderTexts(
  ctx: Context,
  texts: readonly string[],
  place: string,
): Promise<(string | undefined)[]> {
  const cut = texts.map((text) => text.slice(0, TEXT_MAX))
  const found = await findLinksOfAll(ctx, cut, homeIn(ctx, place))
  const renderOne = async (text: string, i: number) => {
    const order = { text, keepsLines: true, siteUrl: ctx.site.url, links: found[i]?.links ?? [] }
    return text === '' ? '' : render(ctx, order).catch(refusedAlone)
  }
  const rendered: (string | undefined)[] = []
  for (let at = 0; at < cut.length; at += TOGETHER_MAX)
    rendered.push(
      ...(await Promise.all(cut.slice(at, at + TOGETHER_MAX).map((text, i) => renderOne(text, at + i)))),
    )
  return rendered
}

function refusedAlone(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}

async function renderAs(ctx: Context, wish: Wish, base?: TextBase): Promise<string> {
  const { Mode: mode = '', Text: text = '', Context: place = '' } = wish
  const keepsLines = Object.hasOwn(KEEPS_LINES, mode) ? KEEPS_LINES[mode] : undefined
  if (keepsLines === undefined) throw invalid('unsupported render mode', { mode })
  if (text === '') return ''
  const links = await findLinks(ctx, text, homeIn(ctx, place))
  return render(ctx, { text, keepsLines, ...links, ...(base && { base }) })
}

function asHtml(html: string) {
  const policy = "default-src 'none'; sandbox"
  const headers = { 'content-type': 'text/html;charset=utf-8', 'content-security-policy': policy }
  return { status: 200 as const, body: html, headers }
}
