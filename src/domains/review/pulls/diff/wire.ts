/** Files that a pull request changes, as clients see them. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import type { Repository } from '#domains/code/repositories'
import type { ChangedFile as FileChange } from '#git'
import type { Site } from '#platform/site'

export type ChangedFile = Static<typeof ChangedFile>
export const ChangedFile = Type.Object(
  {
    filename: Type.String(),
    previous_filename: Type.Optional(Type.String()),
    status: Type.String({ description: 'added, changed, deleted, renamed or copied' }),
    additions: Type.Integer(),
    deletions: Type.Integer(),
    changes: Type.Integer(),
    html_url: Type.Optional(Type.String()),
    contents_url: Type.Optional(Type.String()),
    raw_url: Type.Optional(Type.String()),
  },
  { title: 'ChangedFile' },
)

export function presentChangedFile(file: FileChange, oid: string, repo: Repository, site: Site): ChangedFile {
  const additions = file.additions ?? 0
  const deletions = file.deletions ?? 0
  return {
    filename: file.path,
    ...(file.oldPath === null ? {} : { previous_filename: file.oldPath }),
    // Compat: the reference calls modified files `changed`.
    status: file.status === 'modified' ? 'changed' : file.status,
    additions,
    deletions,
    changes: additions + deletions,
    ...addressesOf(file.path, oid, repo, site),
  }
}

function addressesOf(path: string, oid: string, repo: Repository, site: Site) {
  const name = `${repo.owner.login}/${repo.name}`
  const place = path.split('/').map(encodeURIComponent).join('/')
  return {
    html_url: `${site.url}/${name}/src/commit/${oid}/${place}`,
    contents_url: `${site.apiUrl}/repos/${name}/contents/${place}?ref=${oid}`,
    raw_url: `${site.url}/${name}/raw/commit/${oid}/${place}`,
  }
}
