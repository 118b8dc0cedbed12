/** `bloomery admin authors`: says which users the authors of imported records are, on the machine itself. */
import { findAccountsById } from '#domains/people/users'
import { assignAuthor, listAuthors, presentAuthor, releaseAuthor } from '#domains/remotes/imports'
import { asOperator } from '#domains/sign-in/sources'
import { say, tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

const PAGE = 500

export interface AuthorsFilter {
  readonly host?: string
  readonly name?: string
  /** Also those who are a user here. */
  readonly all: boolean
}

export async function list(file: string | undefined, { host, name, all }: AuthorsFilter): Promise<void> {
  const filter = { host, name, isAssigned: all ? undefined : false }
  await withWorld(file, async (ctx) => {
    for (let number = 1; ; number++) {
      const page = { number, limit: PAGE, offset: (number - 1) * PAGE }
      const { items } = await listAuthors(ctx, asOperator(ctx), filter, page)
      const ids = items.flatMap(({ account_id }) => account_id ?? [])
      const accounts = await findAccountsById(ctx.db, ids)
      for (const it of items) say(JSON.stringify(presentAuthor(it, accounts)))
      if (items.length < PAGE) return
    }
  })
}

/** `host` and `author`: the ids that `list` prints. */
export async function assign(
  file: string | undefined,
  host: number,
  author: number,
  username: string,
): Promise<void> {
  await withWorld(file, (ctx) =>
    assignAuthor(ctx, asOperator(ctx), { host_id: host, author_id: author }, username),
  )
  tell(`the records of author ${author} become those of ${username}; the nodes do it in a job`)
}

export async function release(file: string | undefined, host: number, author: number): Promise<void> {
  await withWorld(file, (ctx) => releaseAuthor(ctx, asOperator(ctx), { host_id: host, author_id: author }))
  tell(`the records of author ${author} become nobody's; the nodes do it in a job`)
}
