/**
 * Projects: boards with columns, of a repository, user or organization, and the issues on them. Lies below issues, as
 * labels do: an issue shows its projects, and editing an issue edits them.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { deleteCardsOfOwner } from './cards/store.ts'
import { columnRoutes } from './columns/routes.ts'
import { projectRoutes } from './records/routes.ts'
import { ruleOperations } from './rules/operations.ts'
import { boardTopic } from './topic.ts'

export { countInProjects, countIssues } from './cards/count-cards.ts'
export { moveCard, type Placing, putCard, removeCard } from './cards/place-card.ts'
export { findProjectsOf, findUsableProjects, listBoard, listCards } from './cards/store.ts'
export { COLUMNS_MAX, SORTING_MAX, SORTING_MIN } from './columns/schemas.ts'
export { getColumn } from './columns/write-column.ts'
export { listBoards } from './exported/list-boards.ts'
export {
  assertFewBoards,
  type ColumnIds,
  type ImportedBoard,
  insertImportedBoards,
  insertImportedCards,
} from './imported/insert-boards.ts'
export {
  keepWritable,
  openInOrg,
  openInRepository,
  openOwn,
  type ProjectPlace,
  type WritablePlace,
} from './open-place.ts'
export { lockProjects } from './records/store.ts'
export { type IssueCount, keepShown, Project, presentProjectsOf } from './records/wire.ts'
export { getProject, holdOpenProject } from './records/write-project.ts'
export { factsOf, inScope, type ProjectScope, projectScopes } from './route-scopes.ts'
export { findRuledMoves, listRules } from './rules/store.ts'
export type { ProjectRow, RuleEvent } from './tables.ts'

export const slice = defineSlice({
  name: 'projects',
  tables: ['project', 'project_column', 'project_card', 'project_count', 'project_rule'],
  routes: [...projectRoutes, ...columnRoutes],
  internalOperations: ruleOperations,
  topics: [boardTopic],
  handlers: [
    // An owner's boards are only for repositories of that owner.
    handler('repository.transferred', ({ db }, { repository_id, old_owner_id }) =>
      deleteCardsOfOwner(db, repository_id, old_owner_id),
    ),
  ],
})
