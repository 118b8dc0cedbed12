/** The avatar of a repository. */
import { dropPicture, keepPicture, storePicture } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import type { Administered } from '../access/open-repository.ts'
import { lockRepository, updateRepository } from '../record/store.ts'

/** Replaces the avatar; null removes it. */
export async function setPicture(ctx: Context, { id }: Administered, text: string | null): Promise<void> {
  const avatar = text === null ? '' : await storePicture(ctx, text)
  await transact(ctx, async (ctx) => {
    const before = await lockRepository(ctx.db, id)
    await updateRepository(ctx.db, id, { avatar, updated_at: ctx.now() })
    await keepPicture(ctx, avatar)
    await dropPicture(ctx, before.avatar)
  })
}
