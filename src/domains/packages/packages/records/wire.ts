/** Packages in REST answers. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { presentRepository, type Repository, RepositoryRecord } from '#domains/code/repositories'
import { type Account, presentUser, User } from '#domains/people/users'
import type { Actor } from '#platform/context'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { FileRow } from './file-store.ts'
import type { ShownVersion } from './store.ts'

export type Package = Static<typeof Package>
export const Package = Type.Object(
  {
    id: Type.Integer({ description: 'number of the version' }),
    owner: User,
    repository: Type.Union([RepositoryRecord, Type.Null()]),
    creator: Type.Union([User, Type.Null()]),
    type: Type.String(),
    name: Type.String(),
    version: Type.String(),
    html_url: Type.String(),
    created_at: Time,
  },
  { title: 'Package' },
)

export type PackageFile = Static<typeof PackageFile>
export const PackageFile = Type.Object(
  {
    id: Type.Integer(),
    size: Type.Integer(),
    name: Type.String(),
    md5: Type.String(),
    sha1: Type.String(),
    sha256: Type.String(),
    sha512: Type.String(),
  },
  { title: 'PackageFile' },
)

/** Related records of versions. */
export interface Around {
  readonly accounts: ReadonlyMap<number, Account>
  /** Repositories that the viewer may see. */
  readonly repositories: ReadonlyMap<number, Repository>
  readonly viewer: Actor | null
  readonly site: Site
}

/** Undefined if the owner was deleted. */
export function presentPackage(row: ShownVersion, around: Around): Package | undefined {
  const { accounts, repositories, viewer, site } = around
  const owner = accounts.get(row.owner_id)
  if (owner === undefined) return undefined
  const creator = accounts.get(row.creator_id ?? 0)
  const repository = repositories.get(row.repository_id ?? 0)
  const path = [row.type, row.name_key, row.version_key.toLowerCase()].map(escapeSegment).join('/')
  return {
    id: row.id,
    owner: presentUser(owner, viewer, site),
    repository: repository === undefined ? null : presentRepository(repository, site),
    creator: creator === undefined ? null : presentUser(creator, viewer, site),
    type: row.type,
    name: row.name,
    version: row.version,
    html_url: `${site.url}/${owner.login}/-/packages/${path}`,
    created_at: time(row.created_at),
  }
}

export function presentFile(file: FileRow): PackageFile {
  const { file_id: id, bytes: size, name, md5, sha1, sha256, sha512 } = file
  return { id, size, name, md5, sha1, sha256, sha512 }
}

/** Compat: characters that Gitea does not escape in a path segment. */
function escapeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll(/%(?:40|3A|24|26|2B|3D)/g, decodeURIComponent)
}
