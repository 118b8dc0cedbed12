/** `bloomery admin user`: manages accounts from the machine itself. */
import { randomBytes } from 'node:crypto'
import { issueToken } from '#domains/code/keys'
import {
  type Account,
  createBadge,
  createUser,
  dropTotp,
  enrollTotp,
  findAccount,
  setPassword,
} from '#domains/people/users'
import type { Context } from '#platform/context'
import { OperatorError } from '#platform/operator-error'
import { say, tell } from '../say.ts'
import { withWorld } from '../with-world.ts'

const MADE_UP_BYTES = 18

export async function create(
  file: string | undefined,
  options: {
    username: string
    email: string
    password?: string
    admin: boolean
    mustChangePassword: boolean
  },
): Promise<void> {
  const password = options.password ?? madeUp()
  await withWorld(file, (ctx) =>
    createUser(ctx, {
      username: options.username,
      email: options.email,
      password,
      is_admin: options.admin,
      must_change_password: options.mustChangePassword,
      isReservedAllowed: true,
    }),
  )
  tell(`created ${options.username}`)
  if (options.password === undefined) say(password)
}

export async function password(file: string | undefined, name: string, given?: string): Promise<void> {
  const password = given ?? madeUp()
  await withWorld(file, async (ctx) => setPassword(ctx, await getPerson(ctx, name), password))
  tell(`password of ${name} changed`)
  if (given === undefined) say(password)
}

export async function secondFactor(file: string | undefined, name: string, drop: boolean): Promise<void> {
  await withWorld(file, async (ctx) => {
    const person = await getPerson(ctx, name)
    if (drop) return dropTotp(ctx, person.id)
    const { secret, uri } = await enrollTotp(ctx, person)
    say(secret)
    say(uri)
  })
  tell(
    drop
      ? `two-factor authentication disabled for ${name}`
      : `two-factor authentication enabled for ${name}; the secret is not shown again`,
  )
}

export async function token(
  file: string | undefined,
  name: string,
  options: { name: string; scopes: string },
): Promise<void> {
  const wish = { name: options.name, scopes: options.scopes.split(',') }
  const { token } = await withWorld(file, async (ctx) => issueToken(ctx, await getPerson(ctx, name), wish))
  say(token)
}

export async function badge(
  file: string | undefined,
  slug: string,
  options: { description: string; imageUrl: string },
): Promise<void> {
  await withWorld(file, (ctx) =>
    createBadge(ctx, { slug, description: options.description, image_url: options.imageUrl }),
  )
  tell(`created badge ${slug}`)
}

async function getPerson(ctx: Context, name: string): Promise<Account> {
  const account = await findAccount(ctx.db, name)
  if (account?.kind !== 'user') throw new OperatorError(`user ${name} does not exist`)
  return account
}

function madeUp(): string {
  return randomBytes(MADE_UP_BYTES).toString('base64url')
}
