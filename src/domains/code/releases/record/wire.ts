/** REST records of releases. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { Attachment, type AttachmentRow, presentAttachment } from '#domains/code/attachments'
import type { Repository } from '#domains/code/repositories'
import { type Account, presentUser, User } from '#domains/people/users'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { ReleaseRow } from '../tables.ts'

export type Release = Static<typeof Release>
export const Release = Type.Object(
  {
    id: Type.Integer(),
    tag_name: Type.String(),
    target_commitish: Type.String(),
    name: Type.String(),
    body: Type.String(),
    url: Type.String(),
    html_url: Type.String(),
    tarball_url: Type.String(),
    zipball_url: Type.String(),
    upload_url: Type.String(),
    draft: Type.Boolean(),
    prerelease: Type.Boolean(),
    created_at: Time,
    published_at: Type.Union([Time, Type.Null()]),
    author: Type.Union([User, Type.Null()]),
    assets: Type.Array(Attachment),
  },
  { title: 'Release' },
)

export interface Around {
  readonly repo: Repository
  readonly authors: ReadonlyMap<number, Account>
  readonly assets: ReadonlyMap<number, readonly AttachmentRow[]>
  readonly site: Site
}

export function presentRelease(row: ReleaseRow, around: Around): Release {
  const { repo, site } = around
  const path = `${repo.owner.login}/${repo.name}`
  const tag = row.tag.split('/').map(encodeURIComponent).join('/')
  const api = `${site.apiUrl}/repos/${path}/releases/${row.id}`
  const author = row.author_id === null ? undefined : around.authors.get(row.author_id)
  return {
    id: row.id,
    tag_name: row.tag,
    target_commitish: row.target,
    name: row.title,
    body: row.note,
    url: api,
    html_url: `${site.url}/${path}/releases/tag/${tag}`,
    tarball_url: `${site.url}/${path}/archive/${tag}.tar.gz`,
    zipball_url: `${site.url}/${path}/archive/${tag}.zip`,
    upload_url: `${api}/assets`,
    draft: row.is_draft,
    prerelease: row.is_prerelease,
    created_at: time(row.created_at),
    published_at: time(row.published_at),
    // Compat: the author is presented as to an anonymous caller.
    author: author === undefined ? null : presentUser(author, null, site),
    // Compat: in a list an asset's URL is its release's download URL.
    assets: (around.assets.get(row.id) ?? []).map((asset) => {
      const name = encodeURIComponent(asset.name)
      return presentAttachment(asset, site, `${site.url}/${path}/releases/download/${tag}/${name}`)
    }),
  }
}
