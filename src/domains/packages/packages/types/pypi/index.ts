/** Python packages. */
import type { PackageType } from '../package-type.ts'
import { KIND } from './names.ts'
import { pypiRoutes } from './routes.ts'

export const pypi: PackageType = { ...KIND, rawRoutes: pypiRoutes }
