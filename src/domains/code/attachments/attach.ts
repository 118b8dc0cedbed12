/** Attaches stored files to their owner row, renames and detaches them. */
import assert from 'node:assert/strict'
import { countRepositoryBytes } from '#domains/code/repositories'
import type { Context, TxContext } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import type { AttachableKind } from '#slices'
import { cleanName } from './names.ts'
import {
  countAttachments,
  findAttachment,
  type Owner,
  orphan,
  selectAttachments,
  updateName,
  updateOwner,
} from './store.ts'
import { assertAllowed, type Rules } from './store-file.ts'
import type { AttachmentRow } from './tables.ts'

/** The caller holds the owner's row lock: the owner stays, and the file count cannot change concurrently. */
export async function attach(
  ctx: TxContext,
  repositoryId: number,
  owner: Owner,
  uuid: string,
  { filesMax }: Rules,
): Promise<AttachmentRow> {
  if ((await countAttachments(ctx.db, owner)) >= filesMax)
    throw new Problem('too_large', 'too many attachments', { filesMax })
  const [attached] = await updateOwner(ctx.db, owner, [uuid])
  // The sweep deleted the orphan: the upload took longer than orphans are kept.
  if (attached === undefined) throw new Problem('unavailable', 'operation timed out, please try again')
  await countFiles(ctx, repositoryId, attached.bytes)
  return attached
}

/** For imported files. */
export async function attachImported(
  ctx: TxContext,
  repositoryId: number,
  owner: Owner,
  uuids: readonly string[],
): Promise<void> {
  if (uuids.length === 0) return
  const attached = await updateOwner(ctx.db, owner, uuids)
  assert(attached.length === uuids.length, 'files are not swept before what they belong to is written')
  await countFiles(ctx, repositoryId, sumBytes(attached))
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

/** Hides the file at once; the sweep deletes its bytes. */
export async function detach(ctx: TxContext, repositoryId: number, owner: Owner, id: number): Promise<void> {
  const attachment = await getAttachment(ctx, owner, id)
  await orphan(ctx.db, attachment.id)
  await countFiles(ctx, repositoryId, -attachment.bytes)
}

/** Subtracts the bytes of files. Call before their releases, issues or comments are deleted; the sweep deletes the files. */
export async function countDeletedFiles(
  ctx: TxContext,
  repositoryId: number,
  kind: AttachableKind,
  ids: readonly number[],
): Promise<void> {
  const files = await selectAttachments(ctx.db, kind, ids).select('bytes').execute()
  await countFiles(ctx, repositoryId, -sumBytes(files))
}

function sumBytes(files: readonly Pick<AttachmentRow, 'bytes'>[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

function countFiles(ctx: TxContext, repositoryId: number, bytes: number): Promise<void> {
  return countRepositoryBytes(ctx, repositoryId, { counter: 'attachment_bytes', bytes, isLimited: true })
}
