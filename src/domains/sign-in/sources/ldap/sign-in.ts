/** Sign-in with name and password of a directory. */
import { guardAttempts } from '#domains/people/users'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Profile } from '../profile.ts'
import type { SourceOf } from '../tables.ts'
import { findByName, isPasswordOf, withDirectory } from './directory.ts'

const NAME_MAX = 255
const PASSWORD_MAX = 1_000

interface Attempt {
  readonly name: string
  readonly password: string
  readonly address: string
}

/** Undefined if name or password is wrong; which of them is not revealed. */
export async function proveAtDirectory(
  ctx: Context,
  source: SourceOf<'ldap'>,
  { name, password, address }: Attempt,
): Promise<Profile | undefined> {
  const isPossible =
    name !== '' && name.length <= NAME_MAX && password !== '' && password.length <= PASSWORD_MAX
  return guardAttempts(ctx, { name: `${source.id}:${name}`, address, accountId: undefined }, async () => {
    if (!isPossible) return undefined
    const person = await ask(ctx, source, () =>
      withDirectory(ctx, source, (client) => findByName(client, source, name)),
    )
    const isProven = await ask(ctx, source, () => isPasswordOf(ctx, source, person, password))
    return isProven ? person?.profile : undefined
  })
}

/** Errors of the directory are for the operator. */
async function ask<T>(ctx: Context, source: SourceOf<'ldap'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { message } = error as Error
    const { cause } = error instanceof Problem ? error.details : {}
    ctx.log.warn({ source: { name: source.name }, error: { message, cause } }, 'a directory did not answer')
    if (error instanceof Problem) throw error
    throw new Problem('unavailable', 'the directory cannot be reached, please try again later')
  }
}
