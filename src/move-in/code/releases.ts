/** Releases with their files, and commit statuses. Rows of plain tags are no releases. */
import { carry, Left } from '../carry/carry.ts'
import { flag, id, number, text, time, timeOr } from '../source/fields.ts'

const releases = carry({
  name: 'release → release',
  from: 'select * from "release" where is_tag = false',
  into: 'release',
  rows: (row) => ({
    id: number(row.id),
    repository_id: number(row.repo_id),
    tag: text(row.tag_name),
    target: text(row.target),
    title: text(row.title),
    note: text(row.note),
    is_draft: flag(row.is_draft),
    is_prerelease: flag(row.is_prerelease),
    author_id: id(row.publisher_id),
    original_author: text(row.original_author),
    created_at: timeOr(row.created_unix, row.published_unix),
    published_at: flag(row.is_draft) ? null : timeOr(row.published_unix, row.created_unix),
  }),
})

const STATES: ReadonlySet<string> = new Set(['pending', 'success', 'error', 'failure', 'warning', 'skipped'])

const statuses = carry({
  from: 'commit_status',
  into: 'commit_status',
  rows: (row) => {
    const state = text(row.state)
    if (!STATES.has(state)) return new Left(`its state is not known: ${state}`)
    return {
      id: number(row.id),
      repository_id: number(row.repo_id),
      oid: text(row.sha),
      context: text(row.context),
      state,
      description: text(row.description),
      target_url: text(row.target_url),
      creator_id: id(row.creator_id),
      created_at: timeOr(row.created_unix, row.updated_unix),
    }
  },
})

/** Branches that can be restored. */
const deletedBranches = carry({
  name: 'branch → deleted_branch',
  from: 'select * from branch where is_deleted = true',
  needs: ['branch'],
  into: 'deleted_branch',
  key: ['repository_id', 'name'],
  isReplaced: true,
  rows: (row) => ({
    repository_id: number(row.repo_id),
    name: text(row.name),
    oid: text(row.commit_id),
    deleted_by_id: id(row.deleted_by_id),
    deleted_at: time(row.deleted_unix) ?? timeOr(row.updated_unix, null),
  }),
})

export const releaseSteps = [releases, statuses, deletedBranches]
