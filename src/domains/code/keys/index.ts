/**
 * Keys: credentials of users and machines. Access tokens and their scopes, public SSH keys, GPG keys, deploy keys, and
 * tokens of jobs.
 */

import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { keyFileRoutes } from './key-files.ts'
import { keysRoutes } from './routes.ts'
import { deleteTokensOf } from './store.ts'
import { sweepTokens } from './tokens/family-tokens.ts'
import { sweepUses } from './tokens/use.ts'

export { type Bearer, digestOf } from './bearer.ts'
export {
  bearerOf,
  type DeployBearer,
  type DeployKey,
  findTokenBearer,
  touchDeployKey,
} from './deploy/deploy-bearers.ts'
export { issuerOf, verifyDetached } from './gpg/gpg-key.ts'
export {
  ACTIONS_BOT_ID,
  findJob,
  issueJobToken,
  type JobGrant,
  revokeJobTokens,
} from './jobs/job-tokens.ts'
export { findGpgSigners, findSshSigners, type GpgSigner, type SshSigner } from './signing-keys.ts'
export { touchPublicKey } from './ssh/public-keys.ts'
export { parseSshKey } from './ssh/ssh-key.ts'
export { parseSshSignature, type SshSignature, signForSsh, verifySshSignature } from './ssh/ssh-signature.ts'
export { findPublicKeyByFingerprint, findUsablePublicKey } from './store.ts'
export type { AccessTokenRow, PublicKeyRow } from './tables.ts'
export { findBearer, renewBearer } from './tokens/bearers.ts'
export {
  type FamilyToken,
  findFamilyToken,
  findFamilyTokenById,
  issueFamilyToken,
  revokeFamilyToken,
} from './tokens/family-tokens.ts'
export { keepOldToken, provesOldToken } from './tokens/old-tokens.ts'
export { ALL, CATEGORIES, exceeds, normalizeScopes, PUBLIC_ONLY, scopeRefusal } from './tokens/scopes.ts'
export { OTHER, TokenUse, type Use } from './tokens/token-use.ts'
export { issueToken } from './tokens/tokens.ts'

export const slice = defineSlice({
  name: 'keys',
  tables: ['access_token', 'public_key', 'deploy_key', 'gpg_key', 'job_token', 'token_use'],
  routes: keysRoutes,
  rawRoutes: keyFileRoutes,
  handlers: [handler('account.access_ended', ({ db }, { account_id }) => deleteTokensOf(db, account_id))],
  tasks: [
    { name: 'sweep_access_tokens', schedule: '@every 1h', run: sweepTokens },
    { name: 'sweep_token_use', schedule: '@midnight', run: sweepUses },
  ],
})
