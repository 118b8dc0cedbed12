/**
 * Whose code a run carries out, and what it is trusted with: secrets, token, concurrency groups, and whether it waits for
 * approval. Pure. Every run asks here before it starts: by a webhook event, a schedule, a dispatch, or the merge queue.
 */

/**
 * How the commit came into the repository. `ref`: it is on a branch or tag, which only writers move. Of pull requests:
 * `branch` from a branch of the same repository, `fork` from another repository or one that is deleted, `agit` by a push
 * to `refs/for/`, which a reader may do. `queue`: a merge that the merge queue made of pull requests.
 */
export type Flow = 'ref' | 'branch' | 'fork' | 'agit' | 'queue'

/**
 * What an account is to the repository when it is asked about. `contributor`: it may not write, but a writer approved a run
 * of a commit that it pushed to a pull request of its own. `job`: the bot as which all jobs act.
 */
export type Standing = 'writer' | 'contributor' | 'stranger' | 'job'

export interface Origin {
  /** As workflows call it, such as `pull_request_target`. */
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
  /** `asked`: what `permissions` of the workflow ask for; `read`: no more than reading of it. */
  readonly token: 'asked' | 'read'
  /** Whether its concurrency groups are those of the repository, or apart from all others. */
  readonly groups: 'repository' | 'pull'
  readonly needsApproval: boolean
}

/** Events that run the workflow file of the pull request's head. All others run a file of a branch or tag. */
const AT_HEAD: readonly string[] = ['pull_request', 'pull_request_review']
/** A job may dispatch on purpose, and a schedule names the last pusher of its branch, who may be a job; anything else that jobs do starts nothing, or two workflows could start each other for ever. */
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
  // The one who queued a pull request answers for the commit that the entry names, while they may write.
  if (flow === 'queue') return actor === 'writer' ? FULL : { ...NOTHING, runs: true }
  if (flow === 'ref' || flow === 'branch') return FULL
  // The file is trusted, but the head branch has a name of the author's choice, and groups are often named after it.
  if (!AT_HEAD.includes(event)) return { ...FULL, groups: 'pull' }
  const needsApproval = ![author, pusher, actor].every((it) => it === 'writer' || it === 'contributor')
  return { runs: true, hasSecrets: false, token: 'read', groups: 'pull', needsApproval }
}

/** Whether anything runs at all: asked by itself before workflow files are read. */
export function mayStart({
  event,
  isJob,
  repository,
}: Pick<Origin, 'event' | 'repository'> & { readonly isJob: boolean }): boolean {
  return repository.hasActions && !repository.isArchived && (!isJob || BY_JOBS_TOO.includes(event))
}
