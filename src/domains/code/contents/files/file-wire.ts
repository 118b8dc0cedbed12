/** REST records of files. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import type { Repository } from '#domains/code/repositories'
import { type CommitRecord, HEADS, localTime, type Revision, TAGS, type TreeEntry } from '#git'
import { Time } from '#platform/rest'
import type { Site } from '#platform/site'
import {
  addressesOf,
  CommitMeta,
  CommitUser,
  presentPerson,
  presentVerdict,
  Verification,
} from '../commits/commit-wire.ts'
import { presentContent } from '../objects/object-wire.ts'
import type { Verdict } from '../signatures/verification.ts'
import type { FileDetails, LoadedFile } from './read-files.ts'

const MaybeText = Type.Union([Type.String(), Type.Null()])

export type Contents = Static<typeof Contents>
export const Contents = Type.Object(
  {
    name: Type.String(),
    path: Type.String(),
    sha: Type.String(),
    last_commit_sha: Type.Optional(Type.String()),
    last_committer_date: Type.Optional(Time),
    last_author_date: Type.Optional(Time),
    last_commit_message: Type.Optional(Type.String()),
    type: Type.Union([
      Type.Literal('file'),
      Type.Literal('dir'),
      Type.Literal('symlink'),
      Type.Literal('submodule'),
    ]),
    mode: Type.String(),
    size: Type.Integer(),
    encoding: MaybeText,
    content: MaybeText,
    target: MaybeText,
    url: MaybeText,
    html_url: MaybeText,
    git_url: MaybeText,
    download_url: MaybeText,
    submodule_git_url: MaybeText,
    _links: Type.Object({ self: MaybeText, git: MaybeText, html: MaybeText }, { title: 'FileLinksResponse' }),
    lfs_oid: Type.Optional(Type.String()),
    lfs_size: Type.Optional(Type.Integer()),
  },
  { title: 'ContentsResponse' },
)

export const ContentsExt = Type.Object(
  { file_contents: Type.Optional(Contents), dir_contents: Type.Optional(Type.Array(Contents)) },
  { title: 'ContentsExtResponse' },
)

/** The repository and revision that a file is read from. */
export interface Reading {
  readonly repo: Repository
  readonly revision: Revision
}

export function presentFile(
  file: LoadedFile,
  { repo, revision }: Reading,
  details: FileDetails,
  site: Site,
): Contents {
  const { path, entry, blob } = file
  const type = typeOf(entry)
  const urls = urlsOf(path, entry, repo, revision, site)
  const isShown = type === 'file' && details.withContent && blob !== undefined
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha: entry.oid,
    ...(details.withLastCommit && presentLastCommit(file.lastCommit, details)),
    type,
    // Compat: the mode of a directory has one digit less than elsewhere.
    mode: entry.mode.replace(/^0/, ''),
    size: entry.size ?? 0,
    ...(isShown ? presentContent(blob) : { encoding: null, content: null }),
    target: type === 'symlink' ? (blob?.data.toString('utf8') ?? null) : null,
    ...urls,
    submodule_git_url: file.submoduleUrl ?? null,
    _links: { self: urls.url, git: urls.git_url, html: urls.html_url },
  }
}

function typeOf({ type, mode }: TreeEntry): Contents['type'] {
  if (type === 'tree') return 'dir'
  if (type === 'commit') return 'submodule'
  return mode === '120000' ? 'symlink' : 'file'
}

function presentLastCommit(commit: CommitRecord | undefined, { withMessage }: FileDetails) {
  return (
    commit && {
      last_commit_sha: commit.oid,
      last_committer_date: localTime(commit.committer),
      last_author_date: localTime(commit.author),
      ...(withMessage && { last_commit_message: commit.message }),
    }
  )
}

/** Compat: a submodule has no page and no object URL, a directory no download URL; every object URL is a blob URL. */
function urlsOf(path: string, entry: TreeEntry, repo: Repository, revision: Revision, site: Site) {
  const { api, html } = addressesOf(repo, site)
  const { kind, name } = placeOf(revision)
  const escaped = path.split('/').map(encodeURIComponent).join('/')
  const place = `${kind}/${name.split('/').map(encodeURIComponent).join('/')}/${escaped}`
  const isHere = entry.type !== 'commit'
  return {
    url: `${api}/contents/${escaped}?ref=${encodeURIComponent(name)}`,
    html_url: isHere ? `${html}/src/${place}` : null,
    git_url: isHere ? `${api}/git/blobs/${entry.oid}` : null,
    download_url: entry.type === 'blob' ? `${html}/raw/${place}` : null,
  }
}

/** The name of a revision in URLs. */
function placeOf({ kind, ref, oid }: Revision): { kind: 'branch' | 'tag' | 'commit'; name: string } {
  if (ref !== null && (kind === 'branch' || kind === 'tag'))
    return { kind, name: ref.slice(kind === 'branch' ? HEADS.length : TAGS.length) }
  return { kind: 'commit', name: oid }
}

export const FileCommit = Type.Object(
  {
    url: Type.String(),
    sha: Type.String(),
    created: Type.Union([Time, Type.Null()]),
    html_url: Type.String(),
    author: CommitUser,
    committer: CommitUser,
    parents: Type.Array(CommitMeta),
    message: Type.String(),
    tree: CommitMeta,
  },
  { title: 'FileCommitResponse' },
)
const made = { commit: FileCommit, verification: Verification }
export const FileAnswer = Type.Object(
  { content: Type.Union([Contents, Type.Null()]), ...made },
  { title: 'FileResponse' },
)
export const FileDeleted = Type.Object({ content: Type.Null(), ...made }, { title: 'FileDeleteResponse' })
export const FilesAnswer = Type.Object(
  { files: Type.Array(Type.Union([Contents, Type.Null()])), ...made },
  { title: 'FilesResponse' },
)

/** The created commit. Compat: the only times are those of author and committer. */
export function presentMade(commit: CommitRecord, verdict: Verdict, repo: Repository, site: Site) {
  const { api, html } = addressesOf(repo, site)
  const metaOf = (place: string, sha: string) => ({ url: `${api}/git/${place}/${sha}`, sha, created: null })
  return {
    commit: {
      ...metaOf('commits', commit.oid),
      html_url: `${html}/commit/${commit.oid}`,
      author: presentPerson(commit.author),
      committer: presentPerson(commit.committer),
      parents: commit.parents.map((oid) => metaOf('commits', oid)),
      // Compat: a signed-off message is shown without its final line feed.
      message: commit.message.replace(/(\nSigned-off-by: [^\n]*)\n$/, '$1'),
      tree: metaOf('trees', commit.tree),
    },
    verification: presentVerdict(verdict),
  }
}
