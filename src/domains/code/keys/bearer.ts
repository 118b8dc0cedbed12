/** Who came with a token, of whatever kind. Of its text only a digest is kept. */
import { createHash } from 'node:crypto'
import type { Grant } from '#domains/people/access'
import type { Account } from '#domains/people/users'

export interface Bearer {
  readonly account: Account
  /** None of a job, which has a token of its own kind. */
  readonly tokenId: number | null
  readonly scopes: readonly string[]
  /** Of a job: it reaches one repository. */
  readonly grant?: Grant
}

export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
