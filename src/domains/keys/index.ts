/**
 * Keys: what people prove themselves with. Access tokens and their scopes, public SSH keys, GPG keys.
 *
 * Owns    tables `access_token`, `public_key`, `gpg_key`
 * Serves  /users/:username/tokens, /token, /user/keys, /user/gpg_keys and their kin
 * Tells   nothing yet
 */
export { type Bearer, digestOf, findBearer } from './bearers.ts'
export { touchPublicKey } from './public-keys.ts'
export { keysRoutes } from './routes/index.ts'
export { normalizeScopes, PUBLIC_ONLY, scopeRefusal } from './scopes.ts'
export { findPublicKeyByFingerprint } from './store.ts'
export type { AccessTokenRow, PublicKeyRow } from './tables.ts'
export { issueToken } from './tokens.ts'
