/**
 * Scopes: the holders of hooks, runners, secrets and variables: a repository, an organization, the caller's own
 * account, or the whole site. A slice registers the same routes for each of its scopes.
 */
export {
  factsOf,
  orgScope,
  ownedRepositoryScope,
  type RouteScope,
  repositoryScope,
  siteScope,
  userScope,
} from './route-scopes.ts'
export { type Holder, type OwnedScope, type Scope, scopeOf } from './scope.ts'
