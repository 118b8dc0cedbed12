/** The account behind a token of any kind. Only the token's digest is stored. */
import { hash } from 'node:crypto'
import type { Restriction } from '#domains/people/access'
import type { Account } from '#domains/people/users'

export interface Bearer {
  readonly account: Account
  /** Null for a job, which has a `job_token` instead. */
  readonly tokenId: number | null
  readonly scopes: readonly string[]
  /** Absent for a token without limits. */
  readonly restriction?: Restriction
}

export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
