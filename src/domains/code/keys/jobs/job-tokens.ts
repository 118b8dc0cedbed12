/**
 * Tokens of jobs. A job acts as the bot `gitea-actions`, in its own repository and within its permissions. The row is
 * deleted in the transaction that ends the task, and from then on every node refuses the token.
 */
import { randomBytes } from 'node:crypto'
import { UNRESTRICTED, type Unit } from '#domains/people/access'
import { selectAccounts } from '#domains/people/users'
import type { TxContext } from '#platform/context'
import type { Db } from '#platform/db'
import { type Bearer, digestOf } from '../bearer.ts'

const PREFIX = 'gjt_'
const TOKEN = /^gjt_[0-9a-f]{40}$/
const TOKEN_BYTES = 20

/** The account `gitea-actions`, inserted by a migration. Compat: the reference uses the same id. */
export const ACTIONS_BOT_ID = -2

/** Beyond repositories, issues and packages, a job can only read. */
const SCOPES = [
  'write:repository',
  'write:issue',
  'write:package',
  'read:user',
  'read:organization',
  'read:misc',
]

export interface JobGrant {
  readonly task_id: number
  readonly repository_id: number
  readonly permissions: Readonly<Partial<Record<Unit, 'none' | 'read' | 'write'>>>
}

export function isJobToken(token: string): boolean {
  return TOKEN.test(token)
}

/** Returns the token, which is never stored. */
export async function issueJobToken(ctx: TxContext, grant: JobGrant): Promise<string> {
  const token = `${PREFIX}${randomBytes(TOKEN_BYTES).toString('hex')}`
  const { permissions, ...of } = grant
  await ctx.db
    .insertInto('job_token')
    .values({
      ...of,
      permissions: JSON.stringify(permissions),
      digest: digestOf(token),
      created_at: ctx.now(),
    })
    .execute()
  return token
}

export async function revokeJobTokens(ctx: TxContext, taskIds: readonly number[]): Promise<void> {
  if (taskIds.length === 0) return
  await ctx.db.deleteFrom('job_token').where('task_id', 'in', taskIds).execute()
}

/** The job of a token, while it runs. */
export async function findJob(db: Db, token: string): Promise<JobGrant | undefined> {
  if (!isJobToken(token)) return undefined
  return db
    .selectFrom('job_token')
    .select(['task_id', 'repository_id', 'permissions'])
    .where('digest', '=', digestOf(token))
    .executeTakeFirst()
}

export async function findJobBearer(db: Db, token: string): Promise<Bearer | undefined> {
  const row = await selectAccounts(db)
    .innerJoin('job_token', (on) => on.on('account.id', '=', ACTIONS_BOT_ID))
    .select(['job_token.repository_id', 'job_token.permissions'])
    .where('job_token.digest', '=', digestOf(token))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { repository_id, permissions, ...account } = row
  return {
    account,
    tokenId: null,
    scopes: SCOPES,
    restriction: {
      ...UNRESTRICTED,
      holder: 'job',
      places: [{ repositories: [repository_id], owners: [] }],
      units: permissions,
    },
  }
}
