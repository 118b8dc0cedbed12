/** Opens the endpoints of SCIM: a client with a token of an enabled source. */
import { getSource, type SourceRow } from '#domains/sign-in/sources'
import type { Context } from '#platform/context'
import { forbidden, Problem } from '#platform/problem'
import type { ScimClient } from './tokens/tokens.ts'

declare const proven: unique symbol
/** The source whose people the client may manage. Only `openSource` creates one. */
export interface Provisioned {
  readonly source: SourceRow
  readonly client: ScimClient
  readonly [proven]: 'source'
}

export async function openSource({
  ctx,
  bearer,
}: {
  readonly ctx: Context
  readonly bearer: ScimClient | null
}): Promise<Provisioned> {
  if (bearer === null) throw new Problem('unauthenticated', 'a SCIM token is required')
  const source = await getSource(ctx.db, bearer.token.source_id)
  if (!source.is_enabled) throw forbidden('this authentication source is disabled')
  return { source, client: bearer } as Provisioned
}
