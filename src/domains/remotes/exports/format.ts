/** The format of an export: names of files and the records that each has. docs/export.md describes it for readers. */
import type { OperationId } from '#platform/rest'

export const FORMAT = 1
/** Written last: a folder without it has no complete export. */
export const MANIFEST = 'export.json'
/** One line for every other file: see `ExportedFile`. */
export const FILES = 'files.jsonl'
export const PEOPLE = 'people.jsonl'

/** In `repositories/NAME`. */
export function folderOf(name: string): string {
  return `repositories/${name}`
}

export interface ExportedFile {
  /** Path in the folder, with slashes. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

export interface Manifest {
  readonly format: typeof FORMAT
  /** Version of Bloomery that made the export. */
  readonly version: string
  readonly made_at: string
  /** Address of the forge. */
  readonly url: string
  readonly owner: string
  /** Names, each of which is a folder in `repositories`. */
  readonly repositories: readonly string[]
  readonly files: ExportedFile & { readonly count: number }
}

/** Lists of a repository that become JSON lines. `page`: the operation lists in pages. */
export interface RecordList {
  readonly kind: string
  readonly operationId: OperationId
  readonly given?: Readonly<Record<string, string>>
  readonly isPaged: boolean
}

export const LISTS: readonly RecordList[] = [
  { kind: 'labels', operationId: 'issueListLabels', isPaged: true },
  { kind: 'milestones', operationId: 'issueGetMilestonesList', given: { state: 'all' }, isPaged: true },
  { kind: 'issues', operationId: 'issueListIssues', given: { state: 'all' }, isPaged: true },
  { kind: 'comments', operationId: 'issueGetRepoComments', isPaged: true },
  { kind: 'releases', operationId: 'repoListReleases', isPaged: true },
  { kind: 'branch_protections', operationId: 'repoListBranchProtection', isPaged: false },
  { kind: 'tag_protections', operationId: 'repoListTagProtection', isPaged: false },
]

/** With their `permission`, which the operation does not answer. */
export const COLLABORATORS: RecordList = {
  kind: 'collaborators',
  operationId: 'repoListCollaborators',
  isPaged: true,
}

/** With `merged_by`, which the operation answers for single pull requests only. */
export const PULLS: RecordList = {
  kind: 'pulls',
  operationId: 'repoListPullRequests',
  given: { state: 'all', sort: 'oldest' },
  isPaged: true,
}
