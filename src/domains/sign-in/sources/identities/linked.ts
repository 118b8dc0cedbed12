/** The identities of an account, and unlinking them. */
import type { Account } from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { forbidden, invalid, notFound } from '#platform/problem'
import type { SignedIn } from '#platform/rest'

/** One for each source, and sources are bounded. */
export function listLinked(db: Db, accountId: number) {
  return db
    .selectFrom('external_identity')
    .innerJoin('authentication_source', 'authentication_source.id', 'external_identity.source_id')
    .select([
      'external_identity.id',
      'external_identity.login',
      'external_identity.last_used_at',
      'external_identity.created_at',
      'authentication_source.name as source',
      'authentication_source.kind',
      'authentication_source.is_enabled',
    ])
    .where('external_identity.account_id', '=', accountId)
    .orderBy('authentication_source.name_key')
    .execute()
}

/** Refused for the last way in. */
export async function unlink(ctx: Context, { account }: SignedIn, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    // Two identities cannot be unlinked at once, each because the other is there.
    await ctx.db.selectFrom('account').select('id').where('id', '=', account.id).forUpdate().execute()
    const gone = await ctx.db
      .deleteFrom('external_identity')
      .where('id', '=', id)
      .where('account_id', '=', account.id)
      .returning('source_id')
      .executeTakeFirst()
    if (gone === undefined) throw notFound('identity', id)
    if (account.only_source_id === gone.source_id)
      throw forbidden('this account signs in with its identity provider only')
    if (!(await hasWayIn(ctx, account)))
      throw invalid('this is your only way to sign in: set a password or add a passkey first')
  })
}

async function hasWayIn(ctx: TxContext, { id }: Pick<Account, 'id'>): Promise<boolean> {
  const { by_password, by_passkey, by_source } = await ctx.db
    .selectNoFrom((eb) => [
      eb
        .exists(eb.selectFrom('account_password').select('account_id').where('account_id', '=', id))
        .as('by_password'),
      eb.exists(eb.selectFrom('passkey').select('id').where('account_id', '=', id)).as('by_passkey'),
      eb
        .exists(
          eb
            .selectFrom('external_identity')
            .innerJoin('authentication_source', 'authentication_source.id', 'external_identity.source_id')
            .select('external_identity.id')
            .where('external_identity.account_id', '=', id)
            .where('authentication_source.is_enabled', '=', true),
        )
        .as('by_source'),
    ])
    .executeTakeFirstOrThrow()
  return Boolean(by_password || by_passkey || by_source)
}
