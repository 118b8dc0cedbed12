/** Runs in REST answers. Pure: no database, no clock. */

import { type Static, Type } from 'typebox'
import { presentBare, type Repository, RepositoryRecord } from '#domains/code/repositories'
import { type Account, presentUser, User } from '#domains/people/users'
import { HEADS } from '#git'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { RunRow } from '../record/tables.ts'
import { presentStatus } from './status.ts'

const OptionalTime = Type.Union([Time, Type.Null()])
const End = Type.Object({
  ref: Type.String(),
  sha: Type.String(),
  repo: Type.Union([
    Type.Object({ id: Type.Integer(), url: Type.String(), name: Type.String() }),
    Type.Null(),
  ]),
})
const MinimalPull = Type.Object(
  { id: Type.Integer(), number: Type.Integer(), url: Type.String(), head: End, base: End },
  { title: 'PullRequestMinimal' },
)

export type WorkflowRun = Static<typeof WorkflowRun>
export const WorkflowRun = Type.Object(
  {
    id: Type.Integer(),
    url: Type.String(),
    previous_attempt_url: Type.Union([Type.String(), Type.Null()]),
    html_url: Type.String(),
    jobs_url: Type.String(),
    logs_url: Type.String(),
    artifacts_url: Type.String(),
    cancel_url: Type.String(),
    rerun_url: Type.String(),
    display_title: Type.String(),
    path: Type.String({ description: 'workflow file and full ref' }),
    event: Type.String(),
    run_attempt: Type.Integer(),
    run_number: Type.Integer(),
    head_sha: Type.String(),
    head_branch: Type.Optional(Type.String()),
    status: Type.String({ description: 'queued, waiting, in_progress or completed' }),
    conclusion: Type.Optional(Type.String({ description: 'success, failure, cancelled or skipped' })),
    actor: Type.Union([User, Type.Null()]),
    trigger_actor: Type.Union([User, Type.Null()]),
    repository: RepositoryRecord,
    head_repository: Type.Union([RepositoryRecord, Type.Null()], {
      description: 'repository of the head commit; null when it is gone or hidden from the caller',
    }),
    pull_requests: Type.Array(MinimalPull),
    created_at: Time,
    updated_at: Time,
    started_at: OptionalTime,
    completed_at: OptionalTime,
  },
  { title: 'ActionWorkflowRun' },
)

export const WorkflowRuns = Type.Object(
  { workflow_runs: Type.Array(WorkflowRun), total_count: Type.Integer() },
  { title: 'ActionWorkflowRunsResponse' },
)

/** A pull request of a run, with its repositories if the caller may see them. */
export interface PullOfRun {
  readonly id: number
  readonly number: number
  readonly head_branch: string
  readonly base_branch: string
  readonly merge_base: string
  readonly head: Repository | undefined
  readonly base: Repository
}

export interface AroundRun {
  readonly site: Site
  readonly repo: Repository
  readonly accounts: ReadonlyMap<number, Account>
  readonly pulls: readonly PullOfRun[]
  /** The repository of the head commit; undefined if the caller may not see it. */
  readonly head: Repository | undefined
}

export function presentRun(run: RunRow, around: AroundRun): WorkflowRun {
  const { site, repo } = around
  const url = `${apiOf(repo, site)}/actions/runs/${run.id}`
  return {
    id: run.id,
    url,
    previous_attempt_url: run.attempt > 1 ? `${url}/attempts/${run.attempt - 1}` : null,
    html_url: `${site.url}${pathOfRun(repo, run.id)}`,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    display_title: run.title,
    path: `${run.workflow_file}@${run.ref}`,
    event: run.event,
    run_attempt: run.attempt,
    run_number: run.number,
    head_sha: run.head_sha,
    ...branchOf(run.ref),
    ...presentStatus(run.status),
    actor: presentActor(run.actor_id, around),
    trigger_actor: presentActor(run.trigger_actor_id, around),
    // Compat: the repository has no `permissions`, for every caller.
    repository: presentBare(repo, { site }),
    head_repository: around.head === undefined ? null : presentBare(around.head, { site }),
    pull_requests: around.pulls.map((pull) => presentPull(pull, run, site)),
    created_at: time(run.created_at),
    updated_at: time(run.updated_at),
    started_at: time(run.started_at),
    completed_at: time(run.stopped_at),
  }
}

interface Named {
  readonly name: string
  readonly owner: { readonly login: string }
}

export function apiOf(repo: Named, site: Site): string {
  return `${site.apiUrl}/repos/${repo.owner.login}/${repo.name}`
}

/** Path without the site URL. */
export function pathOfRun(repo: Named, runId: number): string {
  return `/${repo.owner.login}/${repo.name}/actions/runs/${runId}`
}

/** Compat: the field is absent for refs that are no branch. */
export function branchOf(ref: string): { head_branch?: string } {
  return ref.startsWith(HEADS) ? { head_branch: ref.slice(HEADS.length) } : {}
}

function presentActor(id: number | null, { accounts, site }: AroundRun): User | null {
  const account = id === null ? undefined : accounts.get(id)
  return account === undefined ? null : presentUser(account, null, site)
}

function presentPull(pull: PullOfRun, run: RunRow, site: Site): Static<typeof MinimalPull> {
  return {
    id: pull.id,
    number: pull.number,
    url: `${apiOf(pull.base, site)}/pulls/${pull.number}`,
    head: { ref: pull.head_branch, sha: run.head_sha, repo: presentEnd(pull.head, site) },
    base: { ref: pull.base_branch, sha: pull.merge_base, repo: presentEnd(pull.base, site) },
  }
}

function presentEnd(repo: Repository | undefined, site: Site): Static<typeof End>['repo'] {
  return repo === undefined ? null : { id: repo.id, url: apiOf(repo, site), name: repo.name }
}
