/** The scenarios that are held, and the steps of each that wait for something that is not there yet. */
type Waits = Readonly<Record<string, string>>

const activity = 'activity feeds'
const deployKeys = 'deploy keys'
const issues = 'issues'
const notifications = 'notifications'
const packages = 'packages'
const runners = 'Actions'
const repositories = 'the full repository: stars, watches, settings, search, branches'
const texts = 'rendering of texts, templates'

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

export const WAITING: Readonly<Record<string, Waits>> = {
  auth: {},
  'auth-scopes': {
    ...waitFor(
      repositories,
      ...reads('repository'),
      'read:repository does not write',
      'write:repository writes',
    ),
    ...waitFor(issues, ...reads('issue'), 'read:issue does not write', 'write:issue writes'),
    ...waitFor(
      notifications,
      ...reads('notification'),
      'read:notification does not write',
      'write:notification writes',
    ),
    ...waitFor(notifications, 'public only: notifications'),
    ...waitFor(packages, ...reads('package'), 'public only: packages'),
    ...waitFor(runners, 'read:admin does not write', 'write:admin writes'),
    ...waitFor(
      texts,
      'texts are rendered without any scope for it',
      'templates are read without any scope for them',
    ),
    ...waitFor(
      repositories,
      'public only: an open repository',
      'public only: own repositories',
      'public only: a search of repositories',
    ),
  },
  'user-tokens': {},
  'user-keys': {},
  'user-keys-more': waitFor(deployKeys, 'a key that is a deploy key already'),
  users: waitFor(activity, 'an empty heat map'),
  'user-social': {
    ...waitFor(
      repositories,
      'nobody cannot star',
      'bob stars',
      'bob stars again',
      'a star: yes',
      'a star, asked by nobody',
      'own stars',
      'own stars, page 2',
      'stars of bob, seen by nobody',
      'stars of bob, seen by cid',
      'who starred',
      'no star any more',
      'no star any more, again',
      'nobody cannot watch',
      'bob watches',
      'watched',
      'own watched repositories',
      'who watches',
      'bob watches no more',
      'a blocked user cannot star',
      'a blocked user cannot watch',
      // Its list shows how many repositories bob starred.
      'blocked by the organization',
    ),
    ...waitFor(issues, 'a blocked user cannot open an issue'),
  },
  'gpg-keys': {},
  'admin-users': {},
  'admin-emails': {},
  'admin-cron': waitFor(
    'never: which tasks there are is ours (D27), and this step counts them',
    'past the last page',
  ),
  orgs: waitFor(activity, 'activity of an organization'),
  'org-teams': {},
}
