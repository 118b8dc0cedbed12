/** Applies the change of a commit to a branch. */

import type { Context } from '#platform/context'
import type { Person } from '../../read/objects/person.ts'
import type { RefPolicy } from '../../refs/policy.ts'
import type { StorageId } from '../../tables.ts'
import type { RefMove } from '../types.ts'
import { type PickOrder, pick } from './pick.ts'

export interface CherryPickOrder extends PickOrder {
  /** The author of the original commit stays. */
  readonly committer: Person
  /** The message of the commit when absent. */
  readonly message?: string
}

export function cherryPick(
  ctx: Context,
  storageId: StorageId,
  order: CherryPickOrder,
  policy: RefPolicy,
): Promise<RefMove> {
  const { committer } = order
  return pick(
    ctx,
    storageId,
    order,
    {
      direction: 'again',
      describe: ({ author, message }) => ({ author, committer, message: order.message ?? message }),
    },
    policy,
  )
}
