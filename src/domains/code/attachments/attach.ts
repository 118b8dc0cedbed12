/** Giving stored files to what they are attached to, renaming them, and taking them away. */
import assert from 'node:assert/strict'
import type { Context, TxContext } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { cleanName } from './names.ts'
import { countAttachments, findAttachment, type Owner, orphan, updateName, updateOwner } from './store.ts'
import { assertAllowed, type Rules } from './store-file.ts'
import type { AttachmentRow } from './tables.ts'

/** Whoever calls holds the lock of the owner, so that it is there, and nobody else counts its files. */
export async function attach(
  ctx: TxContext,
  owner: Owner,
  uuid: string,
  { filesMax }: Rules,
): Promise<AttachmentRow> {
  if ((await countAttachments(ctx.db, owner)) >= filesMax)
    throw new Problem('too_large', 'too many attachments', { filesMax })
  const [attached] = await updateOwner(ctx.db, owner, [uuid])
  // It took longer than files are kept for nobody.
  if (attached === undefined) throw new Problem('unavailable', 'operation timed out, please try again')
  return attached
}

/** Files that were brought in with their owner. */
export async function attachImported(ctx: TxContext, owner: Owner, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return
  const attached = await updateOwner(ctx.db, owner, uuids)
  assert(attached.length === uuids.length, 'files are not swept before what they belong to is written')
}

export async function getAttachment(ctx: Context, owner: Owner, id: number): Promise<AttachmentRow> {
  const attachment = await findAttachment(ctx.db, owner, id)
  if (attachment === undefined) throw notFound('attachment', id)
  return attachment
}

export async function renameAttachment(
  ctx: TxContext,
  owner: Owner,
  id: number,
  wanted: string | undefined,
  rules: Rules,
): Promise<AttachmentRow> {
  const attachment = await getAttachment(ctx, owner, id)
  const name = cleanName(wanted ?? '')
  if (name === '') return attachment
  assertAllowed(name, rules)
  return updateName(ctx.db, id, name)
}

/** Out of sight at once; its bytes go when it is swept. */
export async function detach(ctx: TxContext, owner: Owner, id: number): Promise<void> {
  const attachment = await getAttachment(ctx, owner, id)
  await orphan(ctx.db, attachment.id)
}
