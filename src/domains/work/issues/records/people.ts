/** Authors in the wire format of issues. Pure: no database, no clock. */
import { type Account, presentUser, type User } from '#domains/people/users'
import type { Actor } from '#platform/context'
import { time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { IssueRow } from '../tables.ts'

/** Stands for a deleted author. */
const GHOST_ID = -1

/** `at`: creation time of the record, used as the ghost's creation time. */
export function presentAuthor(
  account: Account | undefined,
  viewer: Actor | null,
  site: Site,
  at: Date,
): User {
  return account === undefined ? ghostOf(site, at) : presentUser(account, viewer, site)
}

/** Compat: who has an account here is no original author any more. */
export function presentOriginal(
  row: Pick<IssueRow, 'author_id' | 'original_author' | 'original_author_id'>,
): Pick<typeof row, 'original_author' | 'original_author_id'> {
  const { author_id, original_author, original_author_id } = row
  return author_id === null
    ? { original_author, original_author_id }
    : { original_author: '', original_author_id: 0 }
}

function ghostOf(site: Site, at: Date): User {
  return {
    id: GHOST_ID,
    login: 'Ghost',
    username: 'Ghost',
    login_name: '',
    source_id: 0,
    full_name: '',
    email: '',
    avatar_url: '',
    html_url: `${site.url}/Ghost`,
    language: '',
    type: 'User',
    is_admin: false,
    last_login: null,
    created: time(at),
    restricted: false,
    active: false,
    prohibit_login: false,
    location: '',
    website: '',
    description: '',
    visibility: 'public',
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
  }
}
