/**
 * Decides what a run is trusted with: secrets, token, concurrency groups, and whether it waits for approval. Pure.
 * Every run is decided here before it starts, whether by a webhook event, a schedule, a dispatch or the merge queue.
 */

/**
 * How the commit came into the repository. `ref`: it is on a branch or tag, which only writers can move. For pull
 * requests: `branch` from a branch of the same repository, `fork` from another or a deleted repository, `agit` by a
 * push to `refs/for/`, which readers may do. `queue`: a merge that the merge queue made.
 */
export type Flow = 'ref' | 'branch' | 'fork' | 'agit' | 'queue'

/**
 * Relation of an account to the repository at the time of the decision. `contributor`: cannot write, but a writer
 * approved a run of a commit that the account pushed to its own pull request. `job`: the bot account that all jobs
 * use.
 */
export type Standing = 'writer' | 'contributor' | 'stranger' | 'job'

export interface Origin {
  /** Event name in workflows, such as `pull_request_target`. */
  readonly event: string
  readonly flow: Flow
  /** The author of the pull request, the pusher of the version that runs, and the account that caused the event. */
  readonly author: Standing
  readonly pusher: Standing
  readonly actor: Standing
  readonly repository: { readonly hasActions: boolean; readonly isArchived: boolean }
}

export interface Trust {
  readonly runs: boolean
  readonly hasSecrets: boolean
  /** `asked`: as `permissions` of the workflow request; `read`: limited to read access. */
  readonly token: 'asked' | 'read'
  /** `pull`: concurrency groups are isolated from those of the repository. */
  readonly groups: 'repository' | 'pull'
  readonly needsApproval: boolean
}

/** Events that run the workflow file of the pull request's head. All others run the file of a branch or tag. */
const AT_HEAD: readonly string[] = ['pull_request', 'pull_request_review']
/**
 * Events that also start runs when the actor is a job: a job may dispatch, and a schedule's actor is the last pusher
 * of its branch. Other events by jobs start nothing, or two workflows could start each other forever.
 */
const BY_JOBS_TOO: readonly string[] = ['workflow_dispatch', 'schedule']

const NOTHING: Trust = {
  runs: false,
  hasSecrets: false,
  token: 'read',
  groups: 'pull',
  needsApproval: true,
}
const FULL: Trust = {
  runs: true,
  hasSecrets: true,
  token: 'asked',
  groups: 'repository',
  needsApproval: false,
}

export function decideTrust({ event, flow, author, pusher, actor, repository }: Origin): Trust {
  if (!mayStart({ event, isJob: actor === 'job', repository })) return NOTHING
  // The account that queued the pull request vouches for the commit as long as it has write access.
  if (flow === 'queue') return actor === 'writer' ? FULL : { ...NOTHING, runs: true }
  if (flow === 'ref' || flow === 'branch') return FULL
  // The workflow file is trusted, but the author chose the name of the head branch, which groups are often named
  // after.
  if (!AT_HEAD.includes(event)) return { ...FULL, groups: 'pull' }
  const needsApproval = ![author, pusher, actor].every((it) => it === 'writer' || it === 'contributor')
  return { runs: true, hasSecrets: false, token: 'read', groups: 'pull', needsApproval }
}

/** Whether anything may run at all; also checked alone before workflow files are read. */
export function mayStart({
  event,
  isJob,
  repository,
}: Pick<Origin, 'event' | 'repository'> & { readonly isJob: boolean }): boolean {
  return repository.hasActions && !repository.isArchived && (!isJob || BY_JOBS_TOO.includes(event))
}
