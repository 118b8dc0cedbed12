/** Finds keys by the ids in signatures: one query for each kind, for a whole page of commits. */
import { type NotNull, sql } from 'kysely'
import type { Db } from '#platform/db'

export interface GpgSigner {
  readonly id: number
  readonly account_id: number
  /** The id of the key or subkey that signed. */
  readonly key_id: string
  /** The whole key with its subkeys. */
  readonly armored: string
  /** Addresses that the key has signed, lower case. */
  readonly emails: readonly string[]
  readonly is_verified: boolean
}

export interface SshSigner {
  readonly id: number
  readonly account_id: number
  readonly fingerprint: string
}

/** Keys and subkeys that can sign. An id may occur several times: a subkey can be attached to several keys. */
export function findGpgSigners(db: Db, keyIds: readonly string[]): Promise<GpgSigner[]> {
  return db
    .selectFrom('gpg_key as part')
    .leftJoin('gpg_key as whole', 'whole.id', 'part.primary_id')
    .select(['part.id', 'part.account_id', 'part.key_id', 'part.is_verified'])
    .select((eb) => [
      eb.fn.coalesce('whole.armored', 'part.armored').as('armored'),
      eb.fn.coalesce('whole.emails', 'part.emails').as('emails'),
    ])
    .where('part.key_id', '=', sql<string>`any(${keyIds}::text[])`)
    .where('part.can_sign', '=', true)
    .orderBy('part.id')
    .execute()
}

/** Keys of accounts; deploy keys sign nothing. */
export function findSshSigners(db: Db, fingerprints: readonly string[]): Promise<SshSigner[]> {
  return db
    .selectFrom('public_key')
    .select(['id', 'account_id', 'fingerprint'])
    .where('fingerprint', '=', sql<string>`any(${fingerprints}::text[])`)
    .where('account_id', 'is not', null)
    .$narrowType<{ account_id: NotNull }>()
    .execute()
}
