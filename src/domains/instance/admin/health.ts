/** Health checks of a serving node. `bloomery doctor` checks more, before a start. */
import { sql } from 'kysely'
import { assertServer, isMailOn } from '#domains/instance/mail'
import type { Context } from '#platform/context'
import { probeObjectStore } from '#platform/object-store'
import type { SiteAdmin } from '#platform/rest'

export interface Finding {
  readonly name: string
  readonly isWell: boolean
  readonly says: string
}

const PATIENCE_MS = 5_000

interface Check {
  readonly name: string
  /** Returns the finding; throws when the check fails. */
  readonly look: (ctx: Context) => Promise<string>
}

const CHECKS: readonly Check[] = [
  { name: 'database', look: lookAtDatabase },
  { name: 'clock', look: lookAtClock },
  { name: 'store', look: lookAtStore },
  { name: 'mail', look: lookAtMail },
]

/** All checks run concurrently with a timeout of a few seconds, because a request waits for them. */
export function lookAtHealth(ctx: Context, _admin: SiteAdmin): Promise<Finding[]> {
  return Promise.all(
    CHECKS.map(async ({ name, look }) => {
      try {
        return { name, isWell: true, says: await withPatience(look(ctx)) }
      } catch (error) {
        return { name, isWell: false, says: (error as Error).message }
      }
    }),
  )
}

async function withPatience(work: Promise<string>): Promise<string> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`gives no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    // A rejection after the timeout must not be unhandled.
    work.catch(() => undefined)
  }
}

async function lookAtDatabase({ db }: Context): Promise<string> {
  const { rows } = await sql<{
    version: string
  }>`select current_setting('server_version') as version`.execute(db)
  return `PostgreSQL ${rows[0]?.version ?? ''}`
}

async function lookAtClock({ clock }: Context): Promise<string> {
  await clock.read()
  const refusal = clock.refusal()
  if (refusal !== undefined) throw new Error(refusal)
  return `within ${Math.abs(clock.skewMs())} ms of the database`
}

async function lookAtStore({ store }: Context): Promise<string> {
  await probeObjectStore(store)
  return `${store.driver}, all checks passed`
}

async function lookAtMail(ctx: Context): Promise<string> {
  if (!isMailOn(ctx.config)) return 'off; set mail.host to send any'
  await assertServer(ctx)
  return `${ctx.config['mail.host']}:${ctx.config['mail.port']} answers`
}
