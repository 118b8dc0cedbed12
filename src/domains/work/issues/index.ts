/** Issues: their texts, comments, labels, assignees and timeline. Each pull request has an issue. */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { issuesActivities } from './activities.ts'
import { assigningRoutes } from './assigning/routes.ts'
import { attachables } from './attachments/open-attachments.ts'
import { attachmentRoutes } from './attachments/routes.ts'
import { ruleHandlers } from './cards/move-by-rule.ts'
import { cardRoutes } from './cards/routes.ts'
import { commentRoutes } from './comments/routes.ts'
import { SETTINGS } from './config.ts'
import { dependencyRoutes } from './dependencies/routes.ts'
import { ISSUE_CHANGES } from './events.ts'
import { issueOperations } from './internal-operations.ts'
import { leaveLabelsBehind } from './labeling/leave-owner.ts'
import { labelingRoutes } from './labeling/routes.ts'
import { lockingRoutes } from './locking/routes.ts'
import { pinRoutes } from './pins/routes.ts'
import { reactionRoutes } from './reactions/routes.ts'
import { issueRoutes } from './records/routes.ts'
import { commitConsumer, commitJobs } from './references/commits.ts'
import { linkNamed } from './references/links.ts'
import { searchRoutes } from './search/routes.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { timelineRoutes } from './timeline/routes.ts'
import { timeRoutes } from './times/routes.ts'
import { stopwatchRoutes } from './times/stopwatch-routes.ts'
import { issueTopic } from './topic.ts'
import { issuesWebhooks } from './webhooks/index.ts'

export type { ShownColumn } from './cards/show-board.ts'
export { retractEntries } from './comments/retract-entries.ts'
export { findBlocked, hasOpenDependencies, openDependencies } from './dependencies/depend.ts'
export { DEPENDENCIES_MAX } from './dependencies/store.ts'
export { eventOf, ISSUE_CHANGES, type IssueEvent } from './events.ts'
export { listCardsOfRepository } from './exported/list-cards.ts'
export { listDependencies, listReactions, listTimes } from './exported/list-relations.ts'
export type { ContentHistory } from './history/content-history.ts'
export {
  beginImport,
  finishImport,
  type ImportedComment,
  type ImportedEntry,
  type ImportedIssue,
  type ImportedReaction,
  insertImportedComments,
  insertImportedEntries,
  insertImportedIssues,
} from './imported/insert-imported.ts'
export {
  assertNoCircle,
  findIssuesByNumber,
  holdDependencies,
  type ImportedDependency,
  type ImportedTime,
  insertImportedDependencies,
  insertImportedTimes,
} from './imported/insert-relations.ts'
export { type AuthorBatch, settleComments, settleIssues, settleRecords } from './imported/settle.ts'
export { REACTIONS } from './reactions/react.ts'
export { REACTIONS_MAX } from './reactions/store.ts'
export type { IssueAbilities } from './records/abilities.ts'
export { applyChange, beginChange, type Change } from './records/change.ts'
export { countIssue } from './records/count-issue.ts'
export { addIssue } from './records/create-issue.ts'
export { applyEdits, editState } from './records/edit-issue.ts'
export { isShownIn, isShownTo } from './records/hidden.ts'
export type { SortedIssues } from './records/list-issues.ts'
export {
  assertMayJoin,
  assertNotBlocked,
  type Caller,
  type EditableIssue,
  isTheirs,
  mayRead,
  mayWrite,
  openIssue,
  openToEdit,
  openToJoin,
  type ReadableIssue,
} from './records/open-issue.ts'
export { presentAuthor } from './records/people.ts'
export { showIssues } from './records/show-issues.ts'
export { findIssuesById, lockIssues, type StateCounts, touchIssue } from './records/store.ts'
export { Issue, isDraft, pageOfIssue } from './records/wire.ts'
export { recordClosingCommits } from './references/linked.ts'
export { recordReferences } from './references/record-references.ts'
export {
  dropTeams,
  findRequested,
  type Reviewer,
  type ReviewerState,
  setReviewers,
} from './reviewers/store.ts'
export { findRequestedReviews } from './search/find-requested-reviews.ts'
export type { SimilarIssue } from './search/similar.ts'
export { unsubscribe } from './subscriptions/subscribe.ts'
export type { IssueRow } from './tables.ts'
export { deleteEntries, insertEntries, type NewEntry } from './timeline/entries.ts'
export { showCommentsOf } from './timeline/show-comments.ts'
export type { Talk, Tally } from './timeline/show-talk.ts'
export { findEntry, listLastComments, recountComments } from './timeline/store.ts'
export { Comment } from './timeline/wire.ts'
export { SECONDS_MAX } from './times/schemas.ts'
export { buildComment, type CommentFacts, describeComment } from './webhooks/comment.ts'
export { ISSUE_COLORS, ISSUE_WORDS } from './webhooks/issue.ts'
export { changesOf, excerptOf, lineOf } from './webhooks/parts.ts'

export const slice = defineSlice({
  name: 'issues',
  tables: [
    'issue',
    'issue_number',
    'issue_assignee',
    'issue_label',
    'issue_comment',
    'issue_closing_commit',
    'issue_dependency',
    'issue_reviewer',
    'issue_subscription',
    'issue_content_history',
    'reaction',
    'tracked_time',
    'stopwatch',
  ],
  internalOperations: issueOperations,
  settings: SETTINGS,
  routes: [
    ...searchRoutes,
    ...issueRoutes,
    ...commentRoutes,
    ...timelineRoutes,
    ...labelingRoutes,
    ...assigningRoutes,
    ...lockingRoutes,
    ...pinRoutes,
    ...reactionRoutes,
    ...subscriptionRoutes,
    ...attachmentRoutes,
    ...dependencyRoutes,
    ...timeRoutes,
    ...stopwatchRoutes,
    ...cardRoutes,
  ],
  emits: ['issue.created', ...ISSUE_CHANGES],
  webhooks: issuesWebhooks,
  activities: issuesActivities,
  attachables,
  topics: [issueTopic],
  handlers: [handler('repository.transferred', leaveLabelsBehind), ...ruleHandlers],
  linkers: [linkNamed],
  consumers: [commitConsumer],
  jobs: commitJobs,
})
