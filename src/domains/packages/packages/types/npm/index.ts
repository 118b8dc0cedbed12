/** npm packages. */
import type { PackageType } from '../package-type.ts'
import { KIND } from './names.ts'
import { npmRoutes } from './routes.ts'

export const npm: PackageType = { ...KIND, rawRoutes: npmRoutes }
