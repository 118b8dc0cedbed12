/** Reverts the change of a commit on a branch. */

import type { Context } from '#platform/context'
import type { CommitRecord } from '../../read/objects/commit-object.ts'
import type { Person } from '../../read/objects/person.ts'
import type { RefPolicy } from '../../refs/policy.ts'
import type { StorageId } from '../../tables.ts'
import type { RefMove } from '../types.ts'
import { type PickOrder, pick } from './pick.ts'

export interface RevertOrder extends PickOrder {
  readonly author: Person
  readonly committer: Person
  /** Git's default revert message when absent. */
  readonly message?: string
}

export function revert(
  ctx: Context,
  storageId: StorageId,
  order: RevertOrder,
  policy: RefPolicy,
): Promise<RefMove> {
  const { author, committer } = order
  return pick(
    ctx,
    storageId,
    order,
    {
      direction: 'back',
      describe: (picked) => ({ author, committer, message: order.message ?? messageFor(picked) }),
    },
    policy,
  )
}

function messageFor({ oid, message }: CommitRecord): string {
  const [subject = ''] = message.split('\n', 1)
  return `Revert "${subject}"\n\nThis reverts commit ${oid}.\n`
}
