/**
 * A package type is data, like a slice: one folder with one object, listed in `types/index.ts`. Records use its keys
 * of names and versions, and the edge serves its routes.
 */
import type { Context, TxContext } from '#platform/context'
import type { RawRoute } from '#platform/rest'
import type { Kind } from '../kind.ts'

export interface PackageType extends Kind {
  readonly rawRoutes: readonly RawRoute[]
  /** Internal versions that are unused after others were deleted. */
  readonly findUnneeded?: (ctx: TxContext, packageId: number) => Promise<number[]>
  /** Called by `cleanup_packages`. */
  readonly sweep?: (ctx: Context) => Promise<void>
}
