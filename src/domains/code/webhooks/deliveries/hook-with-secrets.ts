/** A hook with its secrets opened and its kind of holder, for sending. */
import type { Context } from '#platform/context'
import { AUTHORIZATION_PURPOSE, SECRET_PURPOSE } from '../hooks/hook-fields.ts'
import type { HookRow } from '../tables.ts'

export interface HookWithSecrets
  extends Pick<HookRow, 'type' | 'url' | 'content_type' | 'settings' | 'is_active'> {
  /** The kind of holder, for the header `x-gitea-hook-installation-target-type`. */
  readonly kind: string
  readonly secret: string
  readonly authorization: string
}

export async function findHookWithSecrets(
  ctx: Context,
  hookId: number,
): Promise<HookWithSecrets | undefined> {
  const hook = await ctx.db
    .selectFrom('webhook')
    .leftJoin('account', 'account.id', 'webhook.owner_id')
    .selectAll('webhook')
    .select('account.kind as owner_kind')
    .where('webhook.id', '=', hookId)
    .executeTakeFirst()
  if (hook === undefined) return undefined
  const open = (purpose: string, sealed: string) => (sealed === '' ? '' : ctx.seal.open(purpose, sealed))
  return {
    type: hook.type,
    url: hook.url,
    content_type: hook.content_type,
    settings: hook.settings,
    is_active: hook.is_active,
    kind: kindOf(hook, hook.owner_kind),
    secret: open(SECRET_PURPOSE, hook.sealed_secret),
    authorization: open(AUTHORIZATION_PURPOSE, hook.sealed_authorization),
  }
}

function kindOf({ scope }: HookRow, ownerKind: string | null): string {
  if (scope !== 'owner') return scope
  return ownerKind === 'organization' ? 'organization' : 'user'
}
