/** `bloomery repository`: lists and restores deleted repositories. */
import { findDeletedId, listDeleted, undeleteRepository } from '#domains/code/repositories'
import { findAccountsById } from '#domains/people/users'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { say, tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

const LISTED_AT_ONCE = 500

export async function printDeleted(file: string | undefined): Promise<void> {
  const count = await withWorld(file, async (ctx) => {
    for (let number = 1; ; number += 1) {
      const offset = (number - 1) * LISTED_AT_ONCE
      const { items: deleted, total } = await listDeleted(ctx, { number, limit: LISTED_AT_ONCE, offset })
      const owners = await findAccountsById(
        ctx.db,
        deleted.map(({ owner_id }) => owner_id),
      )
      for (const { id, owner_id, name, deleted_at } of deleted)
        say(JSON.stringify({ id, full_name: `${owners.get(owner_id)?.login}/${name}`, deleted_at }))
      if (offset + deleted.length >= total || deleted.length === 0) return total
    }
  })
  tell(`${count} can be taken back`)
}

/** `which` is `owner/name`, which means the one deleted last, or an id. */
export async function undelete(
  file: string | undefined,
  which: string,
  options: { readonly as?: string },
): Promise<void> {
  const repo = await withWorld(file, async (ctx) =>
    undeleteRepository(ctx, await idOf(ctx, which), { name: options.as, actorId: null }),
  )
  tell(`${repo.owner.login}/${repo.name} is back`)
}

async function idOf(ctx: Context, which: string): Promise<number> {
  if (/^\d{1,15}$/.test(which)) return Number(which)
  const [owner = '', name = ''] = which.split('/')
  const id = await findDeletedId(ctx, owner, name)
  if (id === undefined) throw notFound('deleted repository', which)
  return id
}
