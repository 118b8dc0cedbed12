/** The scenarios that are held, and the steps of each that wait for something that is not there yet. */
type Waits = Readonly<Record<string, string>>

const HIDDEN = 'never: what is hidden and what is not there are answered alike'
const COUNTED = 'never: what the caller may not see is not counted (D26)'
const TOGETHER = 'never: all fields or none (D14), so that one more is open'
const COUNTED_AFTER = 'never: a milestone counts what was just added to it'
const PROSE = 'never: prose is no language, also where there is nothing else'
const STEPS = 'never: steps end with their job, also those that the runner did not tell of'
const VIEWER = 'never: profiles are shown as whoever asks may see them, not as whoever is named'

/** Steps that share a reason. */
function waitFor(reason: string, ...steps: readonly string[]): Waits {
  return Object.fromEntries(steps.map((step) => [step, reason]))
}

/** Scenarios that cannot be played to their end yet: why, and how many steps are not reached. */
export const STOPS: Readonly<Record<string, { readonly reason: string; readonly missed: number }>> = {}

export const WAITING: Readonly<Record<string, Waits>> = {
  auth: {},
  'auth-scopes': {},
  'user-tokens': {},
  'user-keys': {},
  'user-keys-more': {},
  users: {},
  'user-social': {
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
  'action-workflows': {},
  'admin-runners': {},
  'actions-config': {},
  'user-oauth2': {},
  'action-runs': {},
  'admin-runs': {},
  'action-cancel': {
    ...waitFor(STEPS, 'its jobs are cancelled'),
    ...waitFor(
      PROSE,
      'cancelled, but the runner is silent',
      'then by force',
      'what the runner says later is not heard',
      'by force before any runner came',
      'cancelled runs',
      'a run that needs approval',
      'runs that need approval',
      'pending runs',
      'approved',
      'approved twice',
      'the owner forces',
    ),
  },
  orgs: waitFor(HIDDEN, 'edit: nobody'),
  'org-teams': {},
  'git-transport': {},
  'org-repositories': waitFor(HIDDEN, 'repositories of a hidden organization, seen by a stranger'),
  repositories: {},
  'repository-search': {},
  'repository-settings': {},
  'repository-visibility': {},
  'repository-transfer': {},
  'repository-migration': {},
  subscriptions: {},
  'stars-topics': {},
  collaborators: {},
  'deploy-keys': {},
  commits: {},
  'commit-statuses': {},
  contents: {},
  branches: {},
  tags: {},
  packages: waitFor(
    HIDDEN,
    'a package of a hidden organization',
    'a package of a hidden user',
    'all of a hidden organization',
  ),
  'git-objects': {},
  'branch-protections': {},
  forks: {},
  avatars: {},
  'activity-feeds': {},
  issues: {},
  'issue-blocks': {},
  'issue-edit': {},
  'issue-comments': {},
  'issue-search': {},
  'issue-attachments': {},
  'issue-times': waitFor(
    VIEWER,
    'an administrator of the repository names another',
    'the site administrator names another',
  ),
  'issue-units': {},
  'issue-templates': {},
  'review-requests': {},
  pulls: waitFor(COUNTED_AFTER, 'all fields'),
  'pull-edit': waitFor(
    TOGETHER,
    'the title of a merged pull request',
    'the base of a merged pull request',
    'a token that may write repositories',
    'an archived repository',
  ),
  'pull-lifecycle': waitFor(PROSE, 'the repository counts its open pull requests'),
  'pull-merges': {},
  reviews: waitFor(COUNTED, 'reviews for nobody', 'reviews two to a page', 'reviews, second page'),
  labels: {},
  milestones: {},
  'org-labels': {},
  'repository-projects': {},
  'user-projects': {},
  'org-projects': {},
  hooks: {},
  'admin-hooks': {},
  notifications: {},
  'notification-reasons': {},
  releases: {},
  wiki: {},
  mirrors: {},
  misc: {},
  'admin-unadopted': {},
}
