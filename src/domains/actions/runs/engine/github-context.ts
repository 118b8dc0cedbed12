/** The `github` context: the same for the planner and for the runner. */
import type { Repository } from '#domains/code/repositories'
import { HEADS, TAGS } from '#git'
import type { Context } from '#platform/context'
import type { JobRow, RunRow } from '../record/tables.ts'

/** `actor`: login of the account that triggered the run; empty if it was deleted. */
export function githubContext(
  { site }: Pick<Context, 'site'>,
  repo: Pick<Repository, 'name'> & { readonly owner: Pick<Repository['owner'], 'login'> },
  run: RunRow,
  job: Pick<JobRow, 'key'> | undefined,
  actor: string,
): Record<string, unknown> {
  const { ref } = run
  const { url, apiUrl } = site
  return {
    actor,
    api_url: apiUrl,
    base_ref: run.base_ref,
    event: run.payload,
    event_name: run.event,
    head_ref: run.head_ref,
    job: job?.key ?? '',
    ref,
    ref_name: nameOf(ref),
    ref_protected: false,
    ref_type: ref.startsWith(TAGS) ? 'tag' : 'branch',
    repository: `${repo.owner.login}/${repo.name}`,
    repository_owner: repo.owner.login,
    retention_days: '',
    run_attempt: String(run.attempt),
    run_id: String(run.id),
    run_number: String(run.number),
    server_url: url,
    sha: run.head_sha,
    triggering_actor: actor,
    workflow: run.workflow_file,
  }
}

function nameOf(ref: string): string {
  const prefix = [HEADS, TAGS].find((it) => ref.startsWith(it)) ?? 'refs/'
  return ref.startsWith(prefix) ? ref.slice(prefix.length) : ref
}
