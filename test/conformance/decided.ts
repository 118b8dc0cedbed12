/** The steps whose answers differ from the recording by decision, by scenario, each with its reason. */
type Steps = Readonly<Record<string, string>>

const HIDDEN = 'a hidden thing and a missing one get the same answer'
const COUNTED = 'counts leave out what the caller may not see (D26)'
const TOGETHER = 'an edit writes all fields or none (D14), so one more is open'
const COUNTED_AFTER = 'a milestone counts the issue that the same request adds'
const PROSE = 'prose is no language (D30), also in a repository that has nothing else'
const STEPS = 'steps end with their job, also steps that the runner never reported'
const VIEWER = 'a profile shows what the caller may see, not what the named user may see'

const NO_NEGATIVE_TIME = 'a negative time is refused (D46), so the lists have one entry less'
const ARCHIVED = 'nothing of an archived repository changes (D48)'
const UNKNOWN_NAMES = 'labels and milestones that are all unknown find nothing (D47)'

/** Steps that share a reason. */
function because(reason: string, ...steps: readonly string[]): Steps {
  return Object.fromEntries(steps.map((step) => [step, reason]))
}

export const DECIDED: Readonly<Record<string, Steps>> = {
  'user-social': {
    ...because(HIDDEN, 'bob follows a hidden user'),
    // They count the accounts that bob follows.
    ...because(
      HIDDEN,
      'own followers',
      'followers of ann, seen by bob',
      'who starred',
      'who watches',
      'blocked by the organization',
    ),
  },
  'action-cancel': {
    ...because(STEPS, 'its jobs are cancelled'),
    ...because(
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
  orgs: because(HIDDEN, 'edit: nobody'),
  'org-repositories': {
    ...because(HIDDEN, 'repositories of a hidden organization, seen by a stranger'),
    ...because('an unknown trust model is refused (D49)', 'trust model nonsense'),
  },
  packages: because(
    HIDDEN,
    'a package of a hidden organization',
    'a package of a hidden user',
    'all of a hidden organization',
  ),
  'issue-times': {
    ...because(
      VIEWER,
      'an administrator of the repository names another',
      'the site administrator names another',
    ),
    ...because(ARCHIVED, 'an archived repository'),
    ...because(
      NO_NEGATIVE_TIME,
      'a negative time',
      'times of the issue, all for a writer',
      'times two to a page',
      'times, second page',
      'times before the far future',
      'times of the repository for its owner',
      'times of the repository, of one user',
      'times of one user by the older path',
      'own times',
      'own times, two to a page',
      'times in the timeline',
    ),
  },
  'issue-attachments': because(
    'the author of a comment may attach to it (D53)',
    'who wrote the comment, but cannot write, may not attach',
    'the comment names its files',
  ),
  'issue-edit': because(ARCHIVED, 'an archived repository'),
  'deploy-keys': because(ARCHIVED, 'an archived repository accepts keys'),
  'issue-blocks': {
    ...because(
      'a deleted or hidden author has the time of the record (D46)',
      'dependencies, seen by a reader who may not see one',
    ),
    ...because(ARCHIVED, 'an archived repository: blocking', 'an archived repository: unblocking'),
  },
  'issue-search': {
    ...because(UNKNOWN_NAMES, 'only an unknown label', 'only an unknown milestone'),
    ...because('the search lists no 404 (D37)', 'created by an unknown user'),
    ...because('a word that is none of its list is refused (D37)', 'an unknown state', 'an unknown type'),
  },
  'repository-search': because('template=true includes templates beside the others (D35)', 'only templates'),
  'activity-feeds': because(
    'a day that cannot be read is refused (D38)',
    'a text that is no day filters nothing',
  ),
  'admin-runs': because(
    'an order alone orders by the default sort (D39), so it must be one',
    'jobs: an order without a sort is not looked at',
  ),
  notifications: because('a misspelled status is refused (D43)', 'an unknown target means read'),
  commits: because('a date alone is the beginning of that day (D38)', 'a date alone as since'),
  pulls: because(COUNTED_AFTER, 'all fields'),
  'pull-edit': because(
    TOGETHER,
    'the title of a merged pull request',
    'the base of a merged pull request',
    'a token that may write repositories',
    'an archived repository',
  ),
  'pull-lifecycle': because(PROSE, 'the repository counts its open pull requests'),
  reviews: because(COUNTED, 'reviews for nobody', 'reviews two to a page', 'reviews, second page'),
}
