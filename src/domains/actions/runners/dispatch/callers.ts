/**
 * Authenticates runners by the headers of their messages. Thousands of runners poll every few seconds, so concurrent
 * lookups are batched into one statement.
 */

import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { digestOf, provesOldToken } from '#domains/code/keys'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import type { RawBearer } from '#platform/rest'
import { findByUuids } from '../record/store.ts'
import type { RunnerRow } from '../record/tables.ts'
import { TOKEN_LENGTH_MAX } from '../registration/tokens.ts'

/** An authenticated runner. */
export interface CallingRunner extends RawBearer {
  readonly runner: RunnerRow
}

/** Adds no noticeable delay, and limits lookups to 20 statements a second for each node. */
const GATHER_MS = 50
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export class Callers {
  private batch:
    | { readonly uuids: Set<string>; readonly rows: Promise<ReadonlyMap<string, RunnerRow>> }
    | undefined

  /**
   * Undefined if the caller is not a runner. Only long polls (`waits`) are batched; other calls are looked up at
   * once.
   */
  async find(
    ctx: Context,
    headers: Readonly<IncomingHttpHeaders>,
    waits: boolean,
  ): Promise<CallingRunner | undefined> {
    const { 'x-runner-uuid': uuid, 'x-runner-token': token } = headers
    if (typeof uuid !== 'string' || typeof token !== 'string') return undefined
    if (!UUID.test(uuid) || token.length > TOKEN_LENGTH_MAX) return undefined
    const runner = waits ? await this.gather(ctx.db, uuid) : await findOne(ctx.db, uuid)
    if (runner === undefined || !(await isProven(ctx, runner, token))) return undefined
    // `old_hash` is gone once the token was proven.
    const renew = async (ctx: Context): Promise<CallingRunner | undefined> => {
      const runner = await findOne(ctx.db, uuid)
      return runner !== undefined && isToken(runner, token) ? bearer(runner) : undefined
    }
    const bearer = (runner: RunnerRow): CallingRunner => ({ name: `runner ${uuid}`, runner, renew })
    return bearer(runner)
  }

  private async gather(db: Db, uuid: string): Promise<RunnerRow | undefined> {
    this.batch ??= this.begin(db)
    this.batch.uuids.add(uuid)
    return (await this.batch.rows).get(uuid)
  }

  private begin(db: Db): NonNullable<Callers['batch']> {
    const uuids = new Set<string>()
    const rows = sleep(GATHER_MS).then(async () => {
      this.batch = undefined
      const rows = await findByUuids(db, [...uuids])
      return new Map(rows.map((row) => [row.uuid, row]))
    })
    return { uuids, rows }
  }
}

async function findOne(db: Db, uuid: string): Promise<RunnerRow | undefined> {
  const [row] = await findByUuids(db, [uuid])
  return row
}

/** The first call of a runner that was moved in gives its token a digest. */
async function isProven({ db }: Context, runner: RunnerRow, token: string): Promise<boolean> {
  if (runner.old_hash === null || isToken(runner, token)) return isToken(runner, token)
  if (!(await provesOldToken(runner.old_hash, token))) return false
  await db
    .updateTable('action_runner')
    .set({ token_digest: digestOf(token), old_hash: null })
    .where('id', '=', runner.id)
    .where('old_hash', '=', runner.old_hash)
    .execute()
  return true
}

function isToken({ token_digest }: RunnerRow, token: string): boolean {
  return timingSafeEqual(token_digest, digestOf(token))
}
