/** Renders texts for pages. Links are resolved for the current reader; rendered HTML is cached. */
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { asAnybody, type InternalOperations, internalOperation } from '#platform/rest'
import { CHARACTERS } from './emoji.ts'
import { findLinksOfAll, homeIn } from './find-links.ts'
import { render, TEXT_MAX } from './render.ts'
import { renderAs } from './routes.ts'

const Text = Type.String()
/** Owner and name of the repository that references in the text are relative to. */
const Place = Type.String()

export const markupOperations = [
  internalOperation({
    operationId: 'markupRenderText',
    method: 'GET',
    body: Type.Object({
      text: Text,
      mode: Type.Union([Type.Literal('comment'), Type.Literal('markdown'), Type.Literal('wiki')]),
      place: Place,
      base: Type.Optional(Type.Object({ root: Text, folder: Text, pictures: Text })),
    }),
    open: asAnybody,
    handle: ({ ctx, body: { text, mode, place, base } }) =>
      renderAs(ctx, { Text: text.slice(0, TEXT_MAX), Mode: mode, Context: place }, { base, showsMath: true }),
  }),
  internalOperation({
    operationId: 'markupRenderTexts',
    method: 'GET',
    body: Type.Object({ texts: Type.Array(Text), place: Place }),
    open: asAnybody,
    handle: ({ ctx, body }) => renderTexts(ctx, body.texts, body.place),
  }),
  /** Emoji whose names contain `q`, those that begin with it first. */
  internalOperation({
    operationId: 'markupFindEmoji',
    method: 'GET',
    query: Type.Object({ q: Text, limit: Type.Integer() }),
    open: asAnybody,
    handle: async ({ query: { q, limit } }) => {
      const found = [...CHARACTERS].filter(([name]) => name.includes(q))
      const first = found.filter(([name]) => name.startsWith(q))
      const all = [...first, ...found.filter(([name]) => !name.startsWith(q))]
      return all.slice(0, limit).map(([name, character]) => ({ name, character }))
    },
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof markupOperations> {}
}

/**
 * Texts queued at once: fewer than the thread allows one visitor. All of them run before a longer text of another one.
 */
const TOGETHER_MAX = 16

/** For the comments of a page: a fixed number of queries; a text that cannot be rendered is undefined. */
async function renderTexts(
  ctx: Context,
  texts: readonly string[],
  place: string,
): Promise<(string | undefined)[]> {
  const cut = texts.map((text) => text.slice(0, TEXT_MAX))
  const found = await findLinksOfAll(ctx, cut, homeIn(ctx, place))
  const renderOne = async (text: string, i: number) => {
    const links = found[i]?.links ?? []
    const order = { text, keepsLines: true, siteUrl: ctx.site.url, links, showsMath: true }
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
