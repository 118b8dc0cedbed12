/** Access of pages to drafts, which the slice `drafts` stores. */
import type { FormVisit, PageVisit } from '#platform/page'

/** Draft texts by place; empty if there is none. */
export async function draftsOf(
  { ctx, ask }: PageVisit,
  ...places: readonly string[]
): Promise<Record<string, string>> {
  const found = ctx.actor === null ? undefined : await ask('draftsFind', { place: [...places] })
  return Object.fromEntries(places.map((place) => [place, found?.get(place) ?? '']))
}

/**
 * Deletes the draft of a form that was sent. The form's `does` must name `draftsDrop`; `composer` puts the place of
 * the draft into a field.
 */
export async function dropSentDraft({ ctx, ask, fields }: FormVisit): Promise<void> {
  const place = fields.maybe('draft')
  if (ctx.isDryRun || place === undefined) return
  const others = ['title', 'text'].filter((name) => fields.has(name)).map((name) => `${place}#${name}`)
  await ask('draftsDrop', {}, { place: [place, ...others] })
}
