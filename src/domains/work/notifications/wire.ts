/** The wire format of notifications. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { presentRepository, type Repository, RepositoryRecord } from '#domains/code/repositories'
import { type IssueRow, pageOfIssue } from '#domains/work/issues'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { ThreadRow } from './tables.ts'

const NotificationSubject = Type.Object(
  {
    title: Type.String(),
    url: Type.String(),
    latest_comment_url: Type.String(),
    html_url: Type.String(),
    latest_comment_html_url: Type.String(),
    type: Type.Enum(['Issue', 'Pull', 'Commit', 'Repository'], { type: 'string' }),
    state: Type.Enum(['open', 'closed', 'merged', ''], { type: 'string' }),
  },
  { title: 'NotificationSubject' },
)

export type NotificationThread = Static<typeof NotificationThread>
export const NotificationThread = Type.Object(
  {
    id: Type.Integer(),
    repository: Type.Union([RepositoryRecord, Type.Null()], {
      description: 'null when the user has lost access to it',
    }),
    subject: Type.Union([NotificationSubject, Type.Null()]),
    unread: Type.Boolean(),
    pinned: Type.Boolean(),
    updated_at: Time,
    url: Type.String(),
  },
  { title: 'NotificationThread' },
)

export const NotificationCount = Type.Object({ new: Type.Integer() }, { title: 'NotificationCount' })

/** The subject of a thread, as its owner may see it. */
export interface About {
  readonly repo: Repository
  readonly issue: IssueRow | null
  /** 0: no comment. */
  readonly lastCommentId: number
}

export function presentThread(thread: ThreadRow, about: About | null, site: Site): NotificationThread {
  return {
    id: thread.id,
    repository: about === null ? null : presentRepository(about.repo, site),
    subject: about === null ? null : presentSubject(about, site),
    unread: thread.status === 'unread',
    pinned: thread.status === 'pinned',
    updated_at: time(thread.updated_at),
    url: `${site.apiUrl}/notifications/threads/${thread.id}`,
  }
}

function presentSubject(
  { repo, issue, lastCommentId }: About,
  site: Site,
): Static<typeof NotificationSubject> {
  const name = `${repo.owner.login}/${repo.name}`
  if (issue === null)
    return {
      title: name,
      // Compat: without the site's URL.
      url: `/${name}`,
      latest_comment_url: '',
      html_url: `${site.url}/${name}`,
      latest_comment_html_url: '',
      type: 'Repository',
      state: '',
    }
  const page = pageOfIssue(issue, repo, site)
  const api = `${site.apiUrl}/repos/${name}/issues`
  const hasComment = lastCommentId > 0
  return {
    title: issue.title,
    url: `${api}/${issue.number}`,
    latest_comment_url: hasComment ? `${api}/comments/${lastCommentId}` : '',
    html_url: page,
    latest_comment_html_url: hasComment ? `${page}#issuecomment-${lastCommentId}` : '',
    type: issue.is_pull ? 'Pull' : 'Issue',
    state: issue.merged_at === null ? (issue.is_closed ? 'closed' : 'open') : 'merged',
  }
}
