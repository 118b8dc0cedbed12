/** What this slice is handed by whoever puts the forge together, because it is kept by slices above it. */
import type { LabelTemplate } from '#domains/templates'
import type { TxContext } from '#platform/context'
import type { Committing } from './merge-upstream.ts'

/** Gives a new repository the hooks that every new one gets. */
export type CopyDefaultHooks = (ctx: TxContext, repositoryId: number) => Promise<void>
/** Gives a repository what another one has. */
type Copy = (ctx: TxContext, fromId: number, toId: number) => Promise<void>

export interface RepositoriesNeeds {
  readonly addLabelSet: (
    ctx: TxContext,
    repositoryId: number,
    labels: readonly LabelTemplate[],
  ) => Promise<void>
  readonly copyLabels: Copy
  readonly copyDefaultHooks: CopyDefaultHooks
  readonly copyHooks: Copy
  readonly committing: Committing
}
