/** Data of the sidebar of an issue or pull request. */
import type { Abilities } from '#domains/people/access'
import type { IssueAbilities } from '#domains/work/issues'
import type { PageVisit } from '#platform/page'
import type {
  HiddenIssue,
  Issue,
  Label,
  Milestone,
  Project,
  Repository,
  StopWatch,
  TrackedTime,
  User,
} from '../../gen/contract.ts'
import type { IssuePath } from '../conversation/conversation.ts'
import type { RepositoryView } from '../repository.ts'

export interface FactsView {
  readonly issue: Issue
  readonly repo: Repository
  readonly mayWrite: boolean
  /** May track time on it. */
  readonly mayTrack: boolean
  /** May lock and pin it. */
  readonly mayManage: boolean
  readonly labels: readonly Label[]
  readonly people: readonly User[]
  readonly milestones: readonly Milestone[]
  readonly projects: readonly Project[]
  readonly dependencies: readonly (Issue | HiddenIssue)[]
  readonly blocks: readonly Issue[]
  /** The issues that a pull request closes, or the pull requests that close an issue. */
  readonly linked: readonly Issue[]
  /** Its merge closes the linked issues: it is open, and its base is the default branch. */
  readonly closes: boolean
  readonly isSubscribed: boolean | undefined
  readonly times: readonly TrackedTime[]
  readonly watch: StopWatch | undefined
}

const CHOICES_MAX = 50

/** Choices are loaded only for viewers who may change them. */
export async function loadFacts(
  visit: PageVisit<IssuePath>,
  issue: Issue,
  { repo, may }: RepositoryView,
  { mayWrite, mayTrack }: IssueAbilities,
  baseBranch?: string,
): Promise<FactsView> {
  const [chosen, joined] = await Promise.all([
    mayWrite ? loadChoices(visit, repo, may) : NOTHING,
    loadJoined(visit, issue, repo),
  ])
  const closes = issue.state === 'open' && baseBranch === repo.default_branch
  return { issue, repo, mayWrite, mayTrack, mayManage: may.admin, closes, ...chosen, ...joined }
}

const NOTHING = { labels: [], people: [], milestones: [], projects: [] }

async function loadChoices(visit: PageVisit<IssuePath>, repo: Repository, may: Abilities) {
  const { owner, repo: name } = visit.params
  const at = { owner, repo: name }
  const open = { ...at, state: 'open', limit: CHOICES_MAX }
  const [labels, people, milestones, projects] = await Promise.all([
    loadLabels(visit, repo),
    visit.ask('repoGetAssignees', at),
    visit.ask('issueGetMilestonesList', open),
    may.projects.read ? visit.maybe('repoListProjects', open) : [],
  ])
  return { labels, people, milestones, projects: projects ?? [] }
}

/** Linked issues, dependencies, tracked times and the viewer's subscription. */
async function loadJoined(visit: PageVisit<IssuePath>, issue: Issue, repo: Repository) {
  const { owner, repo: name } = visit.params
  const one = { owner, repo: name, index: `${issue.number}` }
  const some = { ...one, limit: CHOICES_MAX }
  const { enable_time_tracker: isTracked, enable_issue_dependencies: depends } = repo.internal_tracker ?? {}
  const isSignedIn = visit.ctx.actor !== null
  const [linked, dependencies, blocks, subscription, times, watches] = await Promise.all([
    visit.ask('issueListLinked', one),
    depends ? visit.maybe('issueListIssueDependencies', some) : [],
    depends ? visit.maybe('issueListBlocks', some) : [],
    isSignedIn ? visit.maybe('issueCheckSubscription', one) : undefined,
    isTracked ? visit.maybe('issueTrackedTimes', some) : [],
    isTracked && isSignedIn ? visit.ask('userGetStopWatches', { limit: CHOICES_MAX }) : [],
  ])
  return {
    linked,
    dependencies: dependencies ?? [],
    blocks: blocks ?? [],
    isSubscribed: isSignedIn ? (subscription?.subscribed ?? false) : undefined,
    times: times ?? [],
    watch: watches.find(
      (it) => it.issue_index === issue.number && it.repo_name === name && it.repo_owner_name === owner,
    ),
  }
}

/** Labels of the repository and of its organization. */
export async function loadLabels(
  visit: PageVisit<{ owner: string; repo: string }>,
  repo: Repository,
): Promise<Label[]> {
  const { owner, repo: name } = visit.params
  const [own, shared] = await Promise.all([
    visit.ask('issueListLabels', { owner, repo: name, limit: CHOICES_MAX }),
    repo.owner.type === 'Organization'
      ? visit.maybe('orgListLabels', { org: owner, limit: CHOICES_MAX })
      : [],
  ])
  return [...own, ...(shared ?? [])]
}
