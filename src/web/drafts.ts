/** Texts that are being written, as pages use them: the slice `drafts` keeps them. */
import type { FormVisit, PageVisit } from '#platform/page'

/** By place; empty where nothing was begun. */
export async function draftsOf(
  { ctx, ask }: PageVisit,
  ...places: readonly string[]
): Promise<Record<string, string>> {
  const found = ctx.actor === null ? undefined : await ask('draftsFind', { place: [...places] })
  return Object.fromEntries(places.map((place) => [place, found?.get(place) ?? '']))
}

/** For a form whose text was sent, and whose `does` names `draftsDrop`: `composer` has put the place of its draft into it. */
export async function dropSentDraft({ ctx, ask, fields }: FormVisit): Promise<void> {
  const place = fields.maybe('draft')
  if (ctx.isDryRun || place === undefined) return
  await ask('draftsDrop', {}, { place: fields.has('title') ? [place, `${place}#title`] : [place] })
}
