/**
 * Callers with a deploy key. A deploy key has no account: it opens its repository for git, and is anonymous elsewhere.
 */

import { type Context, transact } from '#platform/context'
import { digestOf } from '../bearer.ts'
import { isUseWorthNoting } from '../last-use.ts'
import type { DeployKeyRow, PublicKeyRow } from '../tables.ts'
import { findByDigest, findByPublicKey, updateDeployKeyUse } from './deploy-key-store.ts'

declare const borne: unique symbol
/** A deploy key that the caller has proven to hold. Only this file creates one. */
export interface DeployKey extends DeployKeyRow {
  readonly [borne]: true
}

/** A caller with a deploy credential. The key depends on the repository: one public key may open several. */
export interface DeployBearer {
  /** Unique for each credential, for rate limits. */
  readonly name: string
  readonly keyFor: (repositoryId: number) => Promise<DeployKey | undefined>
  /** The bearer with current data; undefined when the credential is no longer valid. */
  readonly renew: (ctx: Context) => Promise<DeployBearer | undefined>
}

const TOKEN = /^gdt_[0-9A-Za-z]{43}$/

/** Queries the database each time: a token revoked on one node is refused by all nodes at once. */
export async function findTokenBearer(ctx: Context, token: string): Promise<DeployBearer | undefined> {
  if (!TOKEN.test(token)) return undefined
  const row = await findByDigest(ctx.db, digestOf(token))
  if (row === undefined) return undefined
  return {
    name: `deploy token ${row.id}`,
    keyFor: async (repositoryId) => (row.repository_id === repositoryId ? proven(row) : undefined),
    renew: (ctx) => findTokenBearer(ctx, token),
  }
}

/** For an SSH connection with a public key that belongs to no account. */
export function bearerOf(ctx: Context, key: PublicKeyRow & { account_id: null }): DeployBearer {
  return {
    name: `deploy key ${key.id}`,
    keyFor: async (repositoryId) => {
      const row = await findByPublicKey(ctx.db, key.id, repositoryId)
      return row === undefined ? undefined : proven(row)
    },
    renew: async (ctx) => bearerOf(ctx, key),
  }
}

export async function touchDeployKey(ctx: Context, key: DeployKey): Promise<void> {
  const now = ctx.now()
  if (!isUseWorthNoting(key.last_used_at, now)) return
  await transact(ctx, (ctx) => updateDeployKeyUse(ctx.db, key.id, now))
}

function proven(row: DeployKeyRow): DeployKey {
  return row as DeployKey
}
