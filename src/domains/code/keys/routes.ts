/** All routes of the slice. */
import type { Route } from '#platform/rest'
import { deployKeyRoutes } from './deploy/routes.ts'
import { gpgKeyRoutes } from './gpg/routes.ts'
import { ownPublicKeyRoutes, publicKeyRoutes } from './ssh/routes.ts'
import { tokenRoutes } from './tokens/routes.ts'

export const keysRoutes: readonly Route[] = [
  ...tokenRoutes,
  ...ownPublicKeyRoutes,
  ...publicKeyRoutes,
  ...gpgKeyRoutes,
  ...deployKeyRoutes,
]
