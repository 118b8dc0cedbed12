/** Keys by what a signature says of its maker: all that a page of commits needs, in one query for each kind. */
import { type NotNull, sql } from 'kysely'
import type { Db } from '#platform/db'

export interface GpgSigner {
  readonly id: number
  readonly account_id: number
  /** Of the key or subkey that signed. */
  readonly key_id: string
  /** The whole key, with its subkeys. */
  readonly armored: string
  /** Addresses the key vouches for, in lower case. */
  readonly emails: readonly string[]
  readonly is_verified: boolean
}

export interface SshSigner {
  readonly id: number
  readonly account_id: number
  readonly fingerprint: string
}

/** Keys and subkeys that may sign. An id may be known several times: a subkey can be tied to anybody's key. */
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

/** Keys of people; those that only open a repository sign nothing. */
export function findSshSigners(db: Db, fingerprints: readonly string[]): Promise<SshSigner[]> {
  return db
    .selectFrom('public_key')
    .select(['id', 'account_id', 'fingerprint'])
    .where('fingerprint', '=', sql<string>`any(${fingerprints}::text[])`)
    .where('account_id', 'is not', null)
    .$narrowType<{ account_id: NotNull }>()
    .execute()
}
