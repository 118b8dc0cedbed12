/** Texts that are being written, as pages use them: the slice `drafts` keeps them. */
import { dropDraft, findDrafts } from '#domains/drafts'
import type { FormVisit, PageVisit } from '#platform/page'

/** By place; empty where nothing was begun. */
export async function draftsOf(
  { ctx }: PageVisit,
  ...places: readonly string[]
): Promise<Record<string, string>> {
  const found = await findDrafts(ctx, ctx.actor, places)
  return Object.fromEntries(places.map((place) => [place, found.get(place) ?? '']))
}

/** For a form whose text was sent: `composer` has put the place of its draft into it. */
export async function dropSentDraft({ ctx, fields }: FormVisit): Promise<void> {
  const place = fields.maybe('draft')
  if (ctx.actor === null || ctx.isDryRun || place === undefined) return
  await dropDraft(ctx, ctx.actor, place)
  if (fields.has('title')) await dropDraft(ctx, ctx.actor, `${place}#title`)
}
