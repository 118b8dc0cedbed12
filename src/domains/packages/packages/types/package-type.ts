/**
 * A type of packages is data, as a slice is: one folder with one object, listed in `types/index.ts`. The records know its
 * names and versions as keys, the edge serves its routes, and nothing else knows it.
 */
import type { Context, TxContext } from '#platform/context'
import type { RawRoute } from '#platform/rest'
import type { Kind } from '../kind.ts'

export interface PackageType extends Kind {
  readonly rawRoutes: readonly RawRoute[]
  /** Versions that it keeps for itself, and that nothing needs any more after others were deleted. */
  readonly findUnneeded?: (ctx: TxContext, packageId: number) => Promise<number[]>
  /** What it leaves behind: `cleanup_packages` calls it. */
  readonly sweep?: (ctx: Context) => Promise<void>
}
