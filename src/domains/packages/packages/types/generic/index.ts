/** Generic packages: any files under a name and a version. */
import type { PackageType } from '../package-type.ts'
import { KIND } from './names.ts'
import { genericRoutes } from './routes.ts'

export const generic: PackageType = { ...KIND, rawRoutes: genericRoutes }
