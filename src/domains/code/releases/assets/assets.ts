/** Assets of releases. */
import {
  type AttachmentRow,
  attach,
  detach,
  type Owner,
  type Rules,
  renameAttachment,
  takeUpload,
} from '#domains/code/attachments'
import type { CanWrite } from '#domains/code/repositories'
import { type Context, type TxContext, transact } from '#platform/context'
import { notFound } from '#platform/problem'
import type { SignedIn, Upload } from '#platform/rest'
import type { Seen } from '../record/open-release.ts'
import { lockRelease } from '../record/store.ts'

const ASSETS_MAX = 1_000

/** Release assets are not limited to `attachments.types`: their uploaders may push code. */
function rulesOf(ctx: Context): Rules {
  return { types: [], bytesMax: ctx.config['http.file_bytes_max'], filesMax: ASSETS_MAX }
}

export async function addAsset(
  ctx: Context,
  repo: CanWrite<'releases'>,
  actor: SignedIn,
  release: Seen,
  upload: Upload | null,
  name: string,
): Promise<AttachmentRow> {
  const uuid = await takeUpload(ctx, actor, upload, name, rulesOf(ctx))
  return transact(ctx, async (ctx) => attach(ctx, repo.id, await hold(ctx, release), uuid, rulesOf(ctx)))
}

export function renameAsset(
  ctx: Context,
  _repo: CanWrite<'releases'>,
  release: Seen,
  id: number,
  name: string | undefined,
): Promise<AttachmentRow> {
  return transact(ctx, async (ctx) => renameAttachment(ctx, await hold(ctx, release), id, name, rulesOf(ctx)))
}

export async function removeAsset(
  ctx: Context,
  repo: CanWrite<'releases'>,
  release: Seen,
  id: number,
): Promise<void> {
  await transact(ctx, async (ctx) => detach(ctx, repo.id, await hold(ctx, release), id))
}

async function hold(ctx: TxContext, { id }: Seen): Promise<Owner> {
  if ((await lockRelease(ctx.db, id)) === undefined) throw notFound('release', id)
  return { kind: 'release', id }
}
