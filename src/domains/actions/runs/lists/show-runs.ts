/** Loads runs with their repositories, actors and pull requests in a fixed number of queries. */
import { sql } from 'kysely'
import { loadInOrder, type Repository } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { findAccountsById } from '#domains/people/users'
import type { PullRow } from '#domains/review/pulls'
import { HEADS } from '#git'
import type { Context } from '#platform/context'
import type { Db, Paged } from '#platform/db'
import { must } from '#platform/must'
import { pageOf } from '#platform/rest'
import type { RunRow } from '../record/tables.ts'
import { type PullOfRun, presentRun, type WorkflowRun } from '../wire/run.ts'
import { type RunsQuery, readRunsQuery } from './filter.ts'
import { findRunIds, type Scope } from './find.ts'

/** Newest first. `workflowFile`: only runs of this workflow. */
export async function listRuns(
  ctx: Context,
  scope: Scope,
  query: RunsQuery,
  workflowFile: string | null = null,
): Promise<Paged<WorkflowRun>> {
  const filter = await readRunsQuery(ctx, query, workflowFile)
  const { ids, total } = await findRunIds(ctx.db, scope, filter, pageOf(ctx, query))
  const rows = ids.length === 0 ? [] : await selectRuns(ctx.db, ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const runs = ids.flatMap((id) => byId.get(id) ?? [])
  return { items: await showRuns(ctx, runs, { withPulls: query.exclude_pull_requests !== true }), total }
}

function selectRuns(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('action_run')
    .selectAll()
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
}

export async function showRun(ctx: Context, run: RunRow): Promise<WorkflowRun> {
  const [shown] = await showRuns(ctx, [run], { withPulls: true })
  return must(shown, 'a run is read with its repository')
}

/** Runs of repositories that were deleted meanwhile are left out. */
export async function showRuns(
  ctx: Context,
  runs: readonly RunRow[],
  { withPulls }: { readonly withPulls: boolean },
): Promise<WorkflowRun[]> {
  if (runs.length === 0) return []
  const pulls = await findPulls(ctx.db, runs)
  const repos = await loadRepositories(ctx, runs, pulls)
  const actorIds = runs.flatMap((run) => [run.actor_id ?? [], run.trigger_actor_id ?? []].flat())
  const accounts = await findAccountsById(ctx.db, [...new Set(actorIds)])
  return runs.flatMap((run) => {
    const repo = repos.get(run.repository_id)
    if (repo === undefined) return []
    const about = pulls.filter((pull) => isAbout(run, pull)).flatMap((pull) => placed(pull, repos))
    const head = run.issue_id === null ? repo : about[0]?.head
    const shown = withPulls ? about : []
    return [presentRun(run, { site: ctx.site, repo, accounts, pulls: shown, head })]
  })
}

type Pull = Pick<
  PullRow,
  | 'id'
  | 'issue_id'
  | 'repository_id'
  | 'number'
  | 'head_repository_id'
  | 'head_branch'
  | 'base_branch'
  | 'merge_base'
  | 'is_open'
>

/** Limit for the branches of one page. */
const PULLS_MAX = 500
const COLUMNS = sql`id, issue_id, repository_id, number, head_repository_id, head_branch, base_branch, merge_base, is_open`

/** The pull requests of runs on pull requests, and open pull requests whose head is a pushed branch. */
async function findPulls(db: Db, runs: readonly RunRow[]): Promise<readonly Pull[]> {
  const ids = runs.flatMap(({ issue_id }) => issue_id ?? [])
  const pushed = runs.filter(({ event, ref }) => event === 'push' && ref.startsWith(HEADS))
  if (ids.length === 0 && pushed.length === 0) return []
  const places = pushed.map(({ repository_id }) => repository_id)
  const branches = pushed.map(({ ref }) => ref.slice(HEADS.length))
  const { rows } = await sql<Pull>`select ${COLUMNS} from pull_request where issue_id = any(${ids}::bigint[])
    union (select ${COLUMNS} from pull_request
      where (head_repository_id, head_branch) in (select * from unnest(${places}::bigint[], ${branches}::text[]))
        and is_open and flow = 'branch' order by issue_id desc limit ${PULLS_MAX})
    order by id`.execute(db)
  return rows
}

function isAbout(run: RunRow, pull: Pull): boolean {
  if (run.issue_id !== null) return pull.issue_id === run.issue_id
  const isFromIt = pull.head_repository_id === run.repository_id && run.ref === `${HEADS}${pull.head_branch}`
  return run.event === 'push' && pull.is_open && isFromIt
}

async function loadRepositories(
  ctx: Context,
  runs: readonly RunRow[],
  pulls: readonly Pull[],
): Promise<Map<number, Repository>> {
  const ids = [
    ...runs.map(({ repository_id }) => repository_id),
    ...pulls.flatMap((pull) => [pull.repository_id, pull.head_repository_id ?? []].flat()),
  ]
  const repos = await loadInOrder(ctx, [...new Set(ids)])
  return new Map(repos.map((repo) => [repo.id, repo]))
}

/** Omits repositories of the pull request that the caller may not see. */
function placed(pull: Pull, repos: ReadonlyMap<number, Repository>): PullOfRun[] {
  const base = repos.get(pull.repository_id)
  if (base === undefined || !may(base.access, 'see')) return []
  const head = repos.get(pull.head_repository_id ?? 0)
  return [{ ...pull, base, head: head && may(head.access, 'see') ? head : undefined }]
}
