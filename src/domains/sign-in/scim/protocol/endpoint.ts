/** A raw route of SCIM: its credential, its errors, and the use of its token. */
import type { TProperties, TSchema } from 'typebox'
import { type RawRoute, rawRoute } from '#platform/rest'
import { findScimClient, noteUse, type ScimClient } from '../tokens/tokens.ts'
import { inScimTerms, tellScimFailure } from './problems.ts'

type Nothing = Record<never, TSchema>
type Spec<P extends TProperties, Q extends TProperties, Opened> = Parameters<
  typeof rawRoute<Opened, ScimClient, P, Q>
>[0]

export function scimRoute<Opened, P extends TProperties = Nothing, Q extends TProperties = Nothing>(
  spec: Omit<Spec<P, Q, Opened>, 'scopes' | 'authenticate' | 'challenge' | 'tellFailure'>,
): RawRoute {
  return rawRoute<Opened, ScimClient, P, Q>({
    ...spec,
    scopes: [],
    challenge: 'Bearer realm="SCIM"',
    authenticate: async (ctx, shown) => {
      const bearer = await findScimClient(ctx, shown)
      return bearer && { bearer }
    },
    tellFailure: tellScimFailure,
    handle: async (visit) => {
      if (visit.bearer !== null) await noteUse(visit.ctx, visit.bearer, visit.clientAddress)
      return inScimTerms(() => spec.handle(visit))
    },
  } as Spec<P, Q, Opened>)
}
