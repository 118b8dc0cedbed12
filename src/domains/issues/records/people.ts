/** People as the records of issues show them. Pure: no database, no clock. */
import { type Account, presentUser, type User } from '#domains/users'
import type { Actor } from '#platform/context'
import type { Site } from '#platform/site'

/** Whoever wrote something and is gone. */
const GHOST_ID = -1

export function presentAuthor(account: Account | undefined, viewer: Actor | null, site: Site): User {
  return account === undefined ? ghostOf(site) : presentUser(account, viewer, site)
}

function ghostOf(site: Site): User {
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
    created: '1970-01-01T00:00:00Z',
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
