/** Sign-ins that have begun: rows that a cookie of the browser names, each for one use. */
import { sql } from 'kysely'
import { digestOf } from '#domains/code/keys'
import { later, newToken } from '#domains/sign-in/sessions'
import { type Context, transact } from '#platform/context'
import type { Profile } from '../profile.ts'
import type { SourceRow } from '../tables.ts'

const STEP_S = 600

type Kind = 'request' | 'identity'

export async function startStep(
  ctx: Context,
  { id }: Pick<SourceRow, 'id'>,
  kind: Kind,
  facts: object,
): Promise<string> {
  const token = newToken()
  const now = ctx.now()
  const row = {
    digest: digestOf(token),
    kind,
    source_id: id,
    facts: JSON.stringify(facts),
    created_at: now,
    expires_at: later(now, STEP_S),
  }
  await transact(ctx, ({ db }) => db.insertInto('source_step').values(row).execute())
  return token
}

/** Adds an answer to a request, once, on whichever node. False if the request is unknown, over or answered. */
export async function answerStep(
  ctx: Context,
  { id }: Pick<SourceRow, 'id'>,
  digest: Buffer,
  { profile }: { readonly profile: Profile },
): Promise<boolean> {
  const { numUpdatedRows } = await transact(ctx, ({ db }) =>
    db
      .updateTable('source_step')
      .set({ facts: sql`facts || ${JSON.stringify({ profile })}::jsonb` })
      .where('digest', '=', digest)
      .where('kind', '=', 'request')
      .where('source_id', '=', id)
      .where('expires_at', '>', ctx.now())
      .where(sql<boolean>`not facts ? 'profile'`)
      .executeTakeFirst(),
  )
  return numUpdatedRows === 1n
}

/** Of two concurrent uses one gets the facts. */
export async function dropStep(
  ctx: Context,
  { id }: Pick<SourceRow, 'id'>,
  kind: Kind,
  token: string,
): Promise<object | undefined> {
  const row = await transact(ctx, ({ db }) =>
    db
      .deleteFrom('source_step')
      .where('digest', '=', digestOf(token))
      .where('kind', '=', kind)
      .where('source_id', '=', id)
      .where('expires_at', '>', ctx.now())
      .returning('facts')
      .executeTakeFirst(),
  )
  return row?.facts
}

export async function findStep(
  ctx: Context,
  kind: Kind,
  token: string,
): Promise<{ readonly sourceId: number; readonly facts: object } | undefined> {
  const row = await ctx.db
    .selectFrom('source_step')
    .select(['source_id', 'facts'])
    .where('digest', '=', digestOf(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
  return row && { sourceId: row.source_id, facts: row.facts }
}

export async function sweepSteps(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('source_step').where('expires_at', '<', ctx.now()).execute()
}
