/** Creates, edits and deletes labels of repositories and organizations. */

import type { CanWrite } from '#domains/code/repositories'
import type { OwnedOrg } from '#domains/people/orgs'
import { type Context, transact } from '#platform/context'
import { notFound } from '#platform/problem'
import type { CreateLabel, EditLabel } from './schemas.ts'
import { deleteLabelRow, insertLabel, type LabelOwner, lockLabel, updateLabel } from './store.ts'
import type { LabelRow } from './tables.ts'
import { colorOf } from './wire.ts'

/** Proof that the caller may write labels there. */
export type LabelPlace =
  | { readonly repo: CanWrite<'issues'> | CanWrite<'pulls'> }
  | { readonly organization: OwnedOrg }

export function ownerOf(place: LabelPlace): LabelOwner {
  return 'repo' in place ? { repository_id: place.repo.id } : { organization_id: place.organization.id }
}

export function createLabel(ctx: Context, place: LabelPlace, input: CreateLabel): Promise<LabelRow> {
  const color = colorOf(input.color)
  // Compat: `is_archived` is ignored for a new label of an organization.
  const isArchived = 'repo' in place && (input.is_archived ?? false)
  return transact(ctx, (ctx) => {
    const now = ctx.now()
    return insertLabel(ctx.db, {
      repository_id: null,
      organization_id: null,
      ...ownerOf(place),
      name: input.name,
      color,
      description: input.description ?? '',
      is_exclusive: input.exclusive ?? false,
      archived_at: isArchived ? now : null,
      created_at: now,
      updated_at: now,
    })
  })
}

export function editLabel(ctx: Context, place: LabelPlace, id: number, input: EditLabel): Promise<LabelRow> {
  return transact(ctx, async (ctx) => {
    const label = await lockLabel(ctx.db, ownerOf(place), id)
    if (label === undefined) throw notFound('label', id)
    const isArchived = input.is_archived ?? label.archived_at !== null
    return updateLabel(ctx.db, id, {
      name: input.name ?? label.name,
      color: input.color === undefined ? label.color : colorOf(input.color),
      description: input.description ?? label.description,
      is_exclusive: input.exclusive ?? label.is_exclusive,
      archived_at: isArchived ? (label.archived_at ?? ctx.now()) : null,
      updated_at: ctx.now(),
    })
  })
}

/** Also removes it from issues. Compat: no-op if it does not exist. */
export async function deleteLabel(ctx: Context, place: LabelPlace, id: number): Promise<void> {
  await transact(ctx, (ctx) => deleteLabelRow(ctx.db, ownerOf(place), id))
}
