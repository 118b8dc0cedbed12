/** Webhook payloads of runs and jobs. */
import { findAsOwner, presentOwned, presentSender, type Repository } from '#domains/code/repositories'
import { presentUser } from '#domains/people/users'
import type { Events } from '#events'
import type { Context } from '#platform/context'
import { time } from '#platform/rest'
import { payload, type Webhook, webhook, webhookEvent } from '#slices'
import { showJobs } from '../lists/show-jobs.ts'
import { showRuns } from '../lists/show-runs.ts'
import type { Status } from '../record/status.ts'
import type { RunRow } from '../record/tables.ts'
import { nameOf } from '../statuses/job-status.ts'
import { apiOf } from '../wire/run.ts'
import { presentStatus } from '../wire/status.ts'

type RunFacts = Events['workflow_run.changed']
type JobFacts = Events['workflow_job.changed']

const runPayload = payload({
  type: 'workflow_run',
  indent: 2,
  async build(ctx, facts: RunFacts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    const run = await findRun(ctx, facts.run_id)
    if (repo === undefined || run === undefined) return null
    // With the status and attempt at the time of the event.
    const [shown] = await showRuns(ctx, [{ ...run, status: facts.status, attempt: facts.attempt }], {
      withPulls: true,
    })
    if (shown === undefined) return null
    const { conclusion: _ended, ...rest } = shown
    return {
      action: runAction(facts.status),
      workflow: presentWorkflow(ctx, repo, run),
      workflow_run: { ...rest, ...presentStatus(facts.status) },
      ...(await around(ctx, repo, facts.actor_id)),
    }
  },
  describe: ({ action, workflow_run: run }) => ({
    title: `Workflow run ${run.display_title} ${run.conclusion ?? action}`,
    url: run.html_url,
    ...(run.conclusion === 'success' && { color: 'green' as const }),
    ...(run.conclusion === 'failure' && { color: 'red' as const }),
  }),
})

const jobPayload = payload({
  type: 'workflow_job',
  indent: 2,
  async build(ctx, facts: JobFacts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    const [shown] = await showJobs(ctx, [facts.job_id])
    if (repo === undefined || shown === undefined) return null
    const { conclusion: _ended, ...rest } = shown
    return {
      action: jobAction(facts.status),
      workflow_job: { ...rest, ...presentStatus(facts.status) },
      ...(await around(ctx, repo, facts.actor_id)),
    }
  },
  describe: ({ action, workflow_job: job }) => ({
    title: `Workflow job ${job.name} ${job.conclusion ?? action}`,
    url: job.html_url,
  }),
})

export const runsWebhooks: readonly Webhook[] = [
  webhook('workflow_run.changed', [runPayload], async (_ctx, event) => [webhookEvent(runPayload, event)]),
  webhook('workflow_job.changed', [jobPayload], async (_ctx, event) => [webhookEvent(jobPayload, event)]),
]

function runAction(status: Status): string {
  const shown = presentStatus(status).status
  return shown === 'queued' || shown === 'waiting' ? 'requested' : shown
}

function jobAction(status: Status): string {
  return presentStatus(status).status
}

function findRun(ctx: Context, id: number): Promise<RunRow | undefined> {
  return ctx.db.selectFrom('action_run').selectAll().where('id', '=', id).executeTakeFirst()
}

async function around(ctx: Context, repo: Repository, actorId: number) {
  const { owner } = repo
  return {
    ...(owner.kind === 'organization' && { organization: presentUser(owner, null, ctx.site) }),
    repository: presentOwned(repo, ctx),
    sender: await presentSender(ctx, actorId),
  }
}

/** The workflow at the commit of the run. */
function presentWorkflow(ctx: Context, repo: Repository, run: RunRow) {
  const home = `${ctx.site.url}/${repo.owner.login}/${repo.name}`
  return {
    id: run.workflow_file,
    name: nameOf(run),
    path: run.workflow_path,
    state: 'active',
    created_at: time(run.created_at),
    updated_at: time(run.created_at),
    url: `${apiOf(repo, ctx.site)}/actions/workflows/${run.workflow_file}`,
    html_url: `${home}/src/commit/${run.head_sha}/${run.workflow_path}`,
    badge_url: `${home}/actions/workflows/${run.workflow_file}/badge.svg`,
  }
}
