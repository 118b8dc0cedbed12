/** Container images and other OCI artifacts. */
import type { PackageType } from '../package-type.ts'
import { KIND } from './names.ts'
import { containerRoutes } from './routes.ts'
import { listUnreachable } from './store.ts'
import { sweepContent } from './write.ts'

export const container: PackageType = {
  ...KIND,
  rawRoutes: containerRoutes,
  findUnneeded: (ctx, packageId) => listUnreachable(ctx.db, packageId),
  sweep: sweepContent,
}
