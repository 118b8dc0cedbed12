/** The caller of a request as audit records name it. */
import type { Caller as AuditedCaller } from '#domains/instance/audit'
import type { Actor } from '#platform/context'
import type { RawBearer } from '#platform/rest'
import type { Caller } from './identify.ts'

interface Identity {
  readonly caller: Caller | undefined
  readonly bearer: RawBearer | undefined
}

/** `actor`: whom the caller acts as; null when that is not known yet. */
export function auditedCaller({ caller, bearer }: Identity, actor: Actor | null): AuditedCaller {
  if (bearer !== undefined) return { via: 'key', credential: bearer.name }
  if (caller === undefined) return { via: 'anonymous', credential: null }
  const { actor: account, session } = caller
  const credential = session?.id ?? account.tokenId
  return {
    // A token in HTTP Basic is a token.
    via: account.tokenId === null ? account.via : 'token',
    credential: credential === null ? null : String(credential),
    account,
    ...(actor !== null && actor.id !== account.id && { as: actor }),
  }
}
