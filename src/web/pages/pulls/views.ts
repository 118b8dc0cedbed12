/** Loaded data of pull request pages. */
import type { MergeOutlook } from '#domains/review/merges'
import type { ReviewProgress } from '#domains/review/reviews'
import type { Diff } from '../../diff/source.ts'
import type { CombinedStatus, PullReview, PullVersion, User } from '../../gen/contract.ts'
import type { ConversationView } from '../../parts/conversation/conversation.ts'
import type { FactsView } from '../../parts/issues/load-facts.ts'
import type { PullView } from './load.ts'
import type { Remark } from './threads.ts'

export interface FilesView extends PullView {
  readonly diff: Diff
  readonly progress: ReviewProgress
  readonly remarks: readonly Remark[]
  readonly versions: readonly PullVersion[]
  /** Compare with this version instead of the merge base. */
  readonly since: number | undefined
  readonly isPlain: boolean
}

export interface PullConversationView extends PullView {
  readonly talk: ConversationView
  readonly reviews: readonly PullReview[]
  readonly remarks: readonly Remark[]
  readonly progress: ReviewProgress
  readonly versions: readonly PullVersion[]
  readonly status: CombinedStatus | undefined
  readonly outlook: MergeOutlook
  readonly facts: FactsView
  readonly reviewers: readonly User[] | null
}
