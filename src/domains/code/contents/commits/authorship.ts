/** Author and committer of commits that the forge creates: those that the request names, or the caller. */
import type { Static } from 'typebox'
import { signatureOf } from '#domains/code/repositories'
import { findSigner } from '#domains/code/signing'
import { findAccountById } from '#domains/people/users'
import type { Person, Sign } from '#git'
import type { Context } from '#platform/context'
import { invalid, notFound } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { CommitDates, Identity } from '../files/file-schemas.ts'

/** The caller, at the current time. */
export async function authorOf(ctx: Context, actor: SignedIn): Promise<Person> {
  const account = await findAccountById(ctx.db, actor.id)
  if (account === undefined) throw notFound('user', actor.login)
  return signatureOf(account, ctx.site, ctx.now())
}

interface Named {
  readonly author?: Static<typeof Identity>
  readonly committer?: Static<typeof Identity>
  readonly dates?: Static<typeof CommitDates>
}

/** Author, committer, and the instance's signer if it vouches for them. */
interface Authorship {
  readonly author: Person
  readonly committer: Person
  readonly sign: Sign | undefined
}

/** Compat: if only one of the two is given, it is used for both. The commit is signed only if both are the caller. */
export async function authorsOf(
  ctx: Context,
  actor: SignedIn,
  { author, committer, dates }: Named,
): Promise<Authorship> {
  const self = await authorOf(ctx, actor)
  const named = { author: personOf(author, self), committer: personOf(committer, self) }
  const people = [named.author ?? named.committer ?? self, named.committer ?? named.author ?? self] as const
  const isOwn = people.every(({ name, email }) => name === self.name && email === self.email)
  return {
    author: { ...people[0], ...momentOf(dates?.author, self) },
    committer: { ...people[1], ...momentOf(dates?.committer, self) },
    sign: isOwn ? await findSigner(ctx) : undefined,
  }
}

/** Compat: an identity without an email is ignored. The caller's own email without a name keeps the caller's name. */
function personOf(identity: Static<typeof Identity> | undefined, self: Person): Person | undefined {
  if (!identity?.email) return undefined
  const isSelf = identity.email.toLowerCase() === self.email.toLowerCase()
  return { ...self, email: identity.email, name: identity.name || (isSelf ? self.name : identity.email) }
}

const MOMENT = /T.*(?:Z|([+-])(\d\d):(\d\d))$/i

/** Keeps the UTC offset of the given time. */
function momentOf(text: string | undefined, now: Person): Pick<Person, 'at' | 'offsetMinutes'> {
  if (text === undefined || text === '') return { at: now.at, offsetMinutes: now.offsetMinutes }
  const parts = MOMENT.exec(text)
  const at = new Date(Date.parse(text))
  if (parts === null || Number.isNaN(at.getTime())) throw invalid('date is not in RFC 3339 format')
  const minutes = Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0)
  return { at, offsetMinutes: parts[1] === '-' ? -minutes : minutes }
}
