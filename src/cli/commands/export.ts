/** `bloomery export`: writes repositories to a folder in open formats (docs/export.md). */
import { resolve } from 'node:path'
import { type Account, actorOf } from '#domains/people/users'
import { exportRepositories, type Operations } from '#domains/remotes/exports'
import { InProcessApi } from '#http'
import type { Context } from '#platform/context'
import { routes } from '../forge.ts'
import { getAccount } from '../get-account.ts'
import { say, tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

/** `which` is `owner/name`, or an owner, which means all repositories. */
export async function exportTo(file: string | undefined, which: string, folder: string): Promise<void> {
  process.umask(0o077)
  const [login = '', name] = which.split('/')
  const names = await withWorld(file, async (ctx) => {
    const owner = await getAccount(ctx, login)
    return exportRepositories(ctx, { owner, name, folder: resolve(folder), api: apiOf(ctx, owner), tell })
  })
  for (const it of names) say(JSON.stringify({ repository: it }))
  tell(`exported ${names.length} repositories to ${folder}`)
}

/** Reads as an administrator in the place of the owner, who may be an organization. Changes nothing. */
function apiOf(ctx: Context, owner: Account): Operations {
  const actor = { ...actorOf(owner, { publicOnly: false, via: 'process', tokenId: null }), isAdmin: true }
  return new InProcessApi({ routes, internalOperations: [] }).as(
    { ...ctx, actor },
    { does: [] },
  ) as Operations
}
