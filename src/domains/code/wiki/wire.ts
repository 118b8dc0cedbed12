/** REST records of wiki pages. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { CommitUser, presentPerson } from '#domains/code/contents'
import type { Repository } from '#domains/code/repositories'
import type { CommitRecord } from '#git'
import type { Site } from '#platform/site'
import { titleOf } from './names.ts'
import type { ListedPage, Revisions, WholePage } from './read-pages.ts'

type WikiCommit = Static<typeof WikiCommit>
const WikiCommit = Type.Object(
  {
    sha: Type.String(),
    author: CommitUser,
    // Compat: the reference misspells this field.
    commiter: CommitUser,
    message: Type.String(),
  },
  { title: 'WikiCommit' },
)

const facts = {
  title: Type.String(),
  html_url: Type.String(),
  sub_url: Type.String(),
  last_commit: Type.Union([WikiCommit, Type.Null()]),
}

export type WikiPageMetaData = Static<typeof WikiPageMetaData>
export const WikiPageMetaData = Type.Object(facts, { title: 'WikiPageMetaData' })

export type WikiPage = Static<typeof WikiPage>
export const WikiPage = Type.Object(
  {
    ...facts,
    content_base64: Type.String(),
    commit_count: Type.Integer(),
    sidebar: Type.String({ description: 'base64-encoded content' }),
    footer: Type.String({ description: 'base64-encoded content' }),
  },
  { title: 'WikiPage' },
)

export type WikiCommitList = Static<typeof WikiCommitList>
export const WikiCommitList = Type.Object(
  { commits: Type.Array(WikiCommit), count: Type.Integer() },
  { title: 'WikiCommitList' },
)

export function presentListed(page: ListedPage, repo: Repository, site: Site): WikiPageMetaData {
  return {
    title: titleOf(page.name),
    html_url: `${site.url}/${repo.owner.login}/${repo.name}/wiki/${page.name}`,
    sub_url: page.name,
    last_commit: page.lastCommit === undefined ? null : presentCommit(page.lastCommit),
  }
}

export function presentPage(page: WholePage, repo: Repository, site: Site): WikiPage {
  return {
    ...presentListed(page, repo, site),
    content_base64: page.content.toString('base64'),
    commit_count: page.commits,
    sidebar: page.sidebar.toString('base64'),
    footer: page.footer.toString('base64'),
  }
}

export function presentRevisions({ commits, total }: Revisions): WikiCommitList {
  return { commits: commits.map(presentCommit), count: total }
}

function presentCommit({ oid, author, committer, message }: CommitRecord): WikiCommit {
  return { sha: oid, author: presentPerson(author), commiter: presentPerson(committer), message }
}
