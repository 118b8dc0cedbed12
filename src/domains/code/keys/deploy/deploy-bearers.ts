/** Who bears a deploy key. It is no person: it opens its repository for git, and is nobody everywhere else. */

import { type Context, transact } from '#platform/context'
import { digestOf } from '../bearer.ts'
import { isUseWorthNoting } from '../last-use.ts'
import type { DeployKeyRow, PublicKeyRow } from '../tables.ts'
import { findByDigest, findByPublicKey, updateDeployKeyUse } from './deploy-key-store.ts'

declare const borne: unique symbol
/** A deploy key that whoever came holds. Only this file makes one. */
export interface DeployKey extends DeployKeyRow {
  readonly [borne]: true
}

/** Whoever came with such a credential. Which key it is depends on the repository: a public key may open several. */
export interface DeployBearer {
  /** One for each key, for whoever counts. */
  readonly name: string
  readonly keyFor: (repositoryId: number) => Promise<DeployKey | undefined>
  /** The same bearer as of now; undefined when what they hold is worth nothing any more. */
  readonly renew: (ctx: Context) => Promise<DeployBearer | undefined>
}

const TOKEN = /^gdt_[0-9A-Za-z]{43}$/

/** Asked of the database each time: a token taken away on one node is refused by all of them at once. */
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

/** For whoever has come in over SSH with a public key that is nobody's. */
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
