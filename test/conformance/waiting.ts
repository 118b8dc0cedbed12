/** The scenarios that are held, and the steps of each that wait for something that is not there yet. */
type Waits = Readonly<Record<string, string>>

const issues = 'issues'
const notifications = 'notifications'
const packages = 'packages'
const pulls = 'pull requests'
const runners = 'Actions'
const times = 'tracked times and pins of issues'
const HIDDEN = 'never: what is hidden and what is not there are answered alike'

/** Steps that share a reason. */
function waitFor(reason: string, ...steps: readonly string[]): Waits {
  return Object.fromEntries(steps.map((step) => [step, reason]))
}

/** In auth-scopes every scope is tried on every noun; these are the nouns that are not served yet. */
const SCOPES = [
  'activitypub',
  'admin',
  'misc',
  'notification',
  'organization',
  'package',
  'issue',
  'repository',
  'user',
]
const reads = (noun: string) => SCOPES.map((scope) => `read:${scope} reads ${noun}`)

/** Scenarios that cannot be played to their end yet: why, and how many steps are not reached. */
export const STOPS: Readonly<Record<string, { readonly reason: string; readonly missed: number }>> = {
  commits: { reason: `${pulls}: it looks for the commit of a merge`, missed: 10 },
}

export const WAITING: Readonly<Record<string, Waits>> = {
  auth: {},
  'auth-scopes': {
    ...waitFor(issues, ...reads('issue'), 'read:issue does not write', 'write:issue writes'),
    // The record that is answered counts an issue.
    ...waitFor(issues, 'write:repository writes'),
    ...waitFor(
      notifications,
      ...reads('notification'),
      'read:notification does not write',
      'write:notification writes',
      'public only: notifications',
    ),
    ...waitFor(packages, ...reads('package'), 'public only: packages'),
    ...waitFor(runners, 'read:admin does not write', 'write:admin writes'),
  },
  'user-tokens': {},
  'user-keys': {},
  'user-keys-more': {},
  users: {},
  'user-social': {
    ...waitFor(issues, 'a blocked user cannot open an issue'),
    ...waitFor(HIDDEN, 'bob follows a hidden user'),
    // They count whom bob follows.
    ...waitFor(
      HIDDEN,
      'own followers',
      'followers of ann, seen by bob',
      'who starred',
      'who watches',
      'blocked by the organization',
    ),
  },
  'gpg-keys': {},
  'admin-users': {},
  'admin-emails': {},
  'admin-cron': {},
  orgs: waitFor(HIDDEN, 'edit: nobody'),
  'org-teams': {},
  'git-transport': {},
  'org-repositories': waitFor(HIDDEN, 'repositories of a hidden organization, seen by a stranger'),
  repositories: waitFor(issues, 'issues are off', 'archived: no issues'),
  'repository-search': {},
  'repository-settings': {
    ...waitFor(
      times,
      'pins allowed',
      'no times',
      'no times, nobody',
      'all times',
      'all times, seen by a writer',
      'times of one user',
      'times of one user by path',
      'times of another, asked by a writer',
      'times since then',
      'times before then',
      'times with a bad date',
      'own times everywhere',
    ),
  },
  'repository-visibility': waitFor(
    issues,
    'issues only: issues',
    'issues only: a new issue',
    'issues only: found by search',
  ),
  'repository-transfer': {},
  'repository-migration': waitFor(issues, 'no issues from plain git'),
  subscriptions: {},
  'stars-topics': {},
  collaborators: {},
  'deploy-keys': {},
  commits: waitFor(
    pulls,
    'all commits, seen by nobody',
    'all commits, seen by the owner',
    'without stat, files and verification',
    'without files',
    'without verification',
    'without stat',
    'first page of two',
    'second page of two',
    'last page',
    'a page past the end',
    'limit 0 is the default',
    'since a time',
    'not in a branch',
  ),
  'commit-statuses': {},
  contents: {},
  branches: {},
  tags: {},
  'git-objects': {},
  'branch-protections': {},
  forks: {},
  avatars: {},
  'activity-feeds': {
    ...waitFor(
      issues,
      'an issue is created',
      'an issue is commented on',
      'a long comment is cut',
      'an issue is closed',
      'an issue is reopened',
    ),
    ...waitFor(
      pulls,
      'a pull request is created',
      'a pull request is commented on',
      'a pull request is rejected',
      'a pull request is approved',
      'a pull request is closed',
      'a pull request is reopened',
      'a pull request is merged',
    ),
    ...waitFor(
      `${issues} and ${pulls}, which these count`,
      'first page of the repository',
      'a page past the end',
      'a text that is no day filters nothing',
      'events of today',
      'a repository is forked',
      'own feed',
      'own feed, only what one did oneself',
      'feed of another, seen by a stranger',
      'feed of another, seen by nobody, only what she did',
      'feed of another, who did less',
      'own feed with a token for public things',
      'hidden activity, seen by oneself',
    ),
  },
  hooks: {},
  'admin-hooks': {},
  releases: {},
  wiki: {},
  mirrors: {},
  misc: {},
  'admin-unadopted': {},
}
