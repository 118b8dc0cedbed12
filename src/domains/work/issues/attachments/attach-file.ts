/** Adds, renames and deletes attachments of issues and comments. */
import {
  type AttachmentRow,
  attach,
  detach,
  renameAttachment,
  rulesForTexts,
  takeUpload,
} from '#domains/code/attachments'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import type { SignedIn, Upload } from '#platform/rest'
import { eventOf } from '../events.ts'
import { applyChange, beginChange } from '../records/change.ts'
import { assertNotBlocked, type Caller } from '../records/open-issue.ts'
import { updateEntry } from '../timeline/store.ts'
import { type HeldTarget, holdTarget, type Place } from './open-attachments.ts'

export async function attachFile(
  ctx: Context,
  { tracker, actor }: Caller,
  place: Place,
  upload: Upload | null,
  name: string,
): Promise<AttachmentRow> {
  const rules = rulesForTexts(ctx)
  const uuid = await takeUpload(ctx, actor, upload, name, rules)
  return transact(ctx, async (ctx) => {
    const held = await holdTarget(ctx, tracker, place)
    await assertNotBlocked(ctx, held.repo, actor, held.issue)
    const attachment = await attach(ctx, held.repo.id, held.owner, uuid, rules)
    await countAsEdit(ctx, held, actor)
    return attachment
  })
}

export function renameFile(
  ctx: Context,
  { tracker }: Caller,
  place: Place,
  id: number,
  name: string | undefined,
): Promise<AttachmentRow> {
  return transact(ctx, async (ctx) => {
    const { owner } = await holdTarget(ctx, tracker, place)
    return renameAttachment(ctx, owner, id, name, rulesForTexts(ctx))
  })
}

export function removeFile(ctx: Context, { tracker }: Caller, place: Place, id: number): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { owner, repo } = await holdTarget(ctx, tracker, place)
    await detach(ctx, repo.id, owner, id)
  })
}

/** Compat: a new attachment increments `content_version`, though the text is unchanged. */
async function countAsEdit(ctx: TxContext, { issue, comment }: HeldTarget, actor: SignedIn): Promise<void> {
  if (comment !== null) {
    const { id, body } = comment
    const content_version = comment.content_version + 1
    await updateEntry(ctx.db, id, { body, content_version, updated_at: ctx.now() })
    const event = { ...eventOf(issue, actor), comment_id: id, old_body: body, mentions: [] }
    await emit(ctx, 'issue.comment_edited', event)
    return
  }
  const change = beginChange(issue, actor)
  change.patch.content_version = issue.content_version + 1
  const event = { ...eventOf(issue, actor), old_title: null, old_body: null, mentions: [] }
  change.telling.push(() => emit(ctx, 'issue.edited', event))
  await applyChange(ctx, change)
}
