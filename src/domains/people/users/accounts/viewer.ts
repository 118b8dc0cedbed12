/** The caller in statements that are built once: their id is a value, and the text depends on the other facts. */
import type { Actor } from '#platform/context'
import type { Account } from '../tables.ts'
import { lacksSecondFactor } from './actors.ts'

/** What conditions of visibility know of a caller. */
export interface Viewer
  extends Pick<Actor, 'id' | 'isAdmin' | 'isRestricted' | 'publicOnly' | 'restriction'> {
  readonly account: Pick<Account, 'kind' | 'has_second_factor'>
}

export interface ViewerValues {
  /** null for an anonymous caller. */
  readonly viewerId: number | null
  readonly isAdmin: boolean
  readonly isRestricted: boolean
  readonly publicOnly: boolean
  readonly lacksFactor: boolean
  /** With one the statement is built for each call. */
  readonly restriction: Actor['restriction']
}

export function viewerValues({ actor }: { readonly actor: Viewer | null }): ViewerValues {
  return {
    viewerId: actor?.id ?? null,
    isAdmin: actor?.isAdmin ?? false,
    isRestricted: actor?.isRestricted ?? false,
    publicOnly: actor?.publicOnly ?? false,
    lacksFactor: actor !== null && lacksSecondFactor(actor.account),
    restriction: actor?.restriction,
  }
}

/** The caller as the builder of a statement sees them. */
export function viewerIn(values: ViewerValues): { readonly actor: Viewer | null } {
  const { viewerId: id, isAdmin, isRestricted, publicOnly, lacksFactor, restriction } = values
  if (id === null) return { actor: null }
  const account = { kind: 'user', has_second_factor: !lacksFactor } as const
  return { actor: { id, isAdmin, isRestricted, publicOnly, account, ...(restriction && { restriction }) } }
}
