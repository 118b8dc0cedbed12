/** Addresses of all pages, in one place. They equal Gitea's, so that links in texts, mails and tools keep working. */

import { localPath } from '#platform/page'

/** A branch, tag or commit in an address. */
export interface RefPath {
  readonly kind: 'branch' | 'tag' | 'commit'
  readonly name: string
}

export interface Named {
  readonly full_name: string
}

/** A repository in an address. */
export interface RepositoryPath {
  readonly owner: string
  readonly repo: string
}

/** For links to a repository that is not loaded. */
export function repositoryAt({ owner, repo }: RepositoryPath): Named {
  return { full_name: `${owner}/${repo}` }
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Encodes everything except slashes. */
export function path(...steps: readonly (string | number)[]): string {
  return `/${steps.map((step) => String(step).split('/').map(encodeURIComponent).join('/')).join('/')}`
}

export function withQuery(address: string, query: Query): string {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '' && value !== false) asked.set(name, String(value))
  return asked.size === 0 ? address : `${address}?${asked}`
}

/** The same page with some query parameters changed; undefined removes one. The notice of an act is shown only once. */
export function sameWith({ path, query }: { path: string; query: URLSearchParams }, change: Query): string {
  const asked = Object.fromEntries([...query].filter(([name]) => name !== 'undo'))
  return withQuery(path, { ...asked, ...change })
}

/** An address that a user entered, if it is http, https or mailto; this excludes `javascript:`. */
export function outside(address: string | undefined): string | undefined {
  return address !== undefined && /^(https?:\/\/|mailto:)/i.test(address) ? address : undefined
}

/** The path of an absolute URL from a REST record. */
export function local(address: string): string {
  try {
    const { pathname, search, hash } = new URL(address)
    return pathname + search + hash
  } catch {
    return '/'
  }
}

/** A redirect target, limited to this site. */
export function back(to: string | null | undefined, otherwise: string): string {
  return localPath(to ?? '') ?? otherwise
}

/** Where a sign-in begins, by the kind of its source. */
const WAYS = { oidc: 'oauth2', ldap: 'login', saml: 'saml' } as const

export const links = {
  home: '/',
  signIn: '/user/login',
  appeal: '/user/appeal',
  undo: '/-/undo',
  /** `about`: the path of a page; `comment`: the id of a comment there. */
  report: (about: string, comment?: number) =>
    withQuery('/-/report', { about, ...(comment && { comment: String(comment) }) }),
  signOut: '/user/logout',
  signInBy: ({ name, kind }: { readonly name: string; readonly kind: keyof typeof WAYS }) =>
    path('user', WAYS[kind], name),
  linkAccount: '/user/link_account',
  confirmSignIn: '/user/confirm',
  signUp: '/user/sign_up',
  twoFactor: '/user/two_factor',
  passkey: '/user/webauthn',
  offerPasskey: '/-/passkey',
  changePassword: '/user/settings/change_password',
  forgotPassword: '/user/forgot_password',
  activate: '/user/activate',
  search: '/search',
  explore: '/explore/repos',
  exploreUsers: '/explore/users',
  exploreOrganizations: '/explore/organizations',
  issues: '/issues',
  pulls: '/pulls',
  milestones: '/milestones',
  notifications: '/notifications',
  views: '/-/views',
  settings: '/user/settings',
  security: '/user/settings/security',
  admin: '/-/admin',
  newRepository: '/repo/create',
  migrate: '/repo/migrate',
  newOrganization: '/org/create',

  topic: (name: string) => withQuery('/explore/repos', { q: name, topic: true }),
  settingsOf: (subject: string) => path('user', 'settings', subject),
  token: (id: number) => path('user', 'settings', 'applications', 'tokens', String(id)),
  oauth2Application: (id: number) => path('user', 'settings', 'applications', 'oauth2', String(id)),
  adminOf: (...subject: string[]) => path('-', 'admin', ...subject),
  account: (login: string, query: Query = {}) => withQuery(path(login), query),
  organization: (org: string, ...rest: string[]) => path('org', org, ...rest),
  repository: ({ full_name }: Named) => path(full_name),
  /** Any path below a repository. */
  of: ({ full_name }: Named, ...rest: (string | number)[]) => path(full_name, ...rest),
  source: ({ full_name }: Named, { kind, name }: RefPath, file = '') =>
    path(full_name, 'src', kind, name, ...(file === '' ? [] : [file])),
  raw: ({ full_name }: Named, { kind, name }: RefPath, file: string) =>
    path(full_name, 'raw', kind, name, file),
  /** The object of a Git LFS file in place of its pointer. */
  media: ({ full_name }: Named, { kind, name }: RefPath, file: string) =>
    path(full_name, 'media', kind, name, file),
  blame: ({ full_name }: Named, { kind, name }: RefPath, file: string) =>
    path(full_name, 'blame', kind, name, file),
  commits: ({ full_name }: Named, { kind, name }: RefPath, file = '') =>
    path(full_name, 'commits', kind, name, ...(file === '' ? [] : [file])),
  find: ({ full_name }: Named, { kind, name }: RefPath) => path(full_name, 'find', kind, name),
  /** A page that changes a file: `_edit`, `_new`, `_upload`, `_delete`. */
  change: ({ full_name }: Named, verb: string, branch: string, file = '') =>
    path(full_name, verb, branch, ...(file === '' ? [] : [file])),
  /** Cherry-picks or reverts a commit on a branch. */
  pick: ({ full_name }: Named, sha: string, revert: boolean, branch?: string) =>
    withQuery(path(full_name, '_cherrypick', sha), { revert, branch }),
  newRelease: (
    { full_name }: Named,
    { tag, target, title }: { tag: string; target: string; title: string },
  ) => withQuery(path(full_name, 'releases', 'new'), { tag, target, title: title || undefined }),
  archive: ({ full_name }: Named, ref: string, ending: string) =>
    path(full_name, 'archive', `${ref}${ending}`),
  wiki: ({ full_name }: Named, page?: string, query: Query = {}) =>
    withQuery(page === undefined ? path(full_name, 'wiki') : `${path(full_name, 'wiki')}/${page}`, query),
  wikiCommit: ({ full_name }: Named, sha: string) => path(full_name, 'wiki', 'commit', sha),
  commit: ({ full_name }: Named, sha: string) => path(full_name, 'commit', sha),
  compare: ({ full_name }: Named, base: string, head: string) =>
    path(full_name, 'compare', `${base}...${head}`),
  issue: ({ full_name }: Named, index: number) => path(full_name, 'issues', index),
  pull: ({ full_name }: Named, index: number, ...rest: (string | number)[]) =>
    path(full_name, 'pulls', index, ...rest),
  /** The checks and merge requirements of a pull request. */
  merging: ({ full_name }: Named, index: number) => `${path(full_name, 'pulls', index)}#merge`,
  /** Edit history of a comment, or of the issue or pull request itself. */
  textHistory: ({ full_name }: Named, index: number, comment?: number) =>
    withQuery(path(full_name, 'issues', index, 'content-history'), { comment: comment || undefined }),
  milestone: ({ full_name }: Named, id: number) => path(full_name, 'milestone', id),
  release: ({ full_name }: Named, tag: string) => path(full_name, 'releases', 'tag', tag),
  run: ({ full_name }: Named, id: number) => path(full_name, 'actions', 'runs', id),
} as const
