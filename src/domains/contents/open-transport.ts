/** Opening a repository for git itself, over HTTP or SSH. */
import { openToRead, openToSee, openToWrite, type Readable, type Writable } from '#domains/repositories'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'

/** With or without the ending that clients add. */
export function repositoryPathOf(owner: string, repo: string): { owner: string; repo: string } {
  return { owner, repo: repo.replace(/\.git$/, '') }
}

/** Nobody is asked who they are before they are told anything: a private repository and none look the same. */
export async function openToFetch(
  ctx: Context,
  path: { owner: string; repo: string },
): Promise<Readable<'code'>> {
  return openToRead(ctx, path, 'code').catch(askWho(ctx))
}

export async function openToPush(
  ctx: Context,
  path: { owner: string; repo: string },
): Promise<Writable<'code'>> {
  await openToSee(ctx, path).catch(askWho(ctx))
  return openToWrite(ctx, path, 'code')
}

function askWho(ctx: Context): (error: unknown) => never {
  return (error) => {
    if (ctx.actor === null && error instanceof Problem)
      throw new Problem('unauthenticated', 'credentials are needed')
    throw error
  }
}
