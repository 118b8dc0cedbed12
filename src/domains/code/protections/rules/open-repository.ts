/** Opens a repository to change its protections. */
import { type Administered, assertUnarchived, openToAdmin } from '#domains/code/repositories'
import type { Context } from '#platform/context'

declare const proven: unique symbol
/** Proof that the caller may change the repository's settings, and that it is not archived. */
export interface Protectable extends Administered {
  readonly [proven]: 'protectable'
}

export async function openToProtect(
  ctx: Context,
  path: { readonly owner: string; readonly repo: string },
): Promise<Protectable> {
  const repo = await openToAdmin(ctx, path)
  assertUnarchived(repo)
  return repo as Protectable
}
