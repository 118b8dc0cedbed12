/** All routes of the slice. */
import type { Route } from '#platform/rest'
import { deployKeyRoutes } from './deploy-keys.ts'
import { gpgKeyRoutes } from './gpg-keys.ts'
import { ownPublicKeyRoutes, publicKeyRoutes } from './public-keys.ts'
import { tokenRoutes } from './tokens.ts'

export const keysRoutes: readonly Route[] = [
  ...tokenRoutes,
  ...ownPublicKeyRoutes,
  ...publicKeyRoutes,
  ...gpgKeyRoutes,
  ...deployKeyRoutes,
]
