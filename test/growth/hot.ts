/**
 * The few that have very much: a repository with a tenth of all repositories as issues, an account with one feed entry
 * and one notification for each repository, an organization with a hundredth of them. And one of ordinary size.
 */
import type { Planted } from '../tokens/worlds.ts'
import type { Columns, Filler } from './fill.ts'
import { BASE } from './rows.ts'

export interface Place {
  readonly planted: Planted
  readonly userId: number
  readonly issueId: number
}

const NOW = `timestamptz '2026-01-01'`
const later = `${NOW} - n * interval '1 second'`
const at = { created_at: later, updated_at: later }

export interface Extent {
  readonly issues: number
  readonly pulls: number
  readonly news: number
  /** Watched, starred and owned repositories, teams' members, runs, releases, packages. */
  readonly others: number
}

/** `start` keeps the ids of places apart. */
export async function fillPlace(filler: Filler, place: Place, extent: Extent, start: number): Promise<void> {
  await fillWork(filler, place, extent, start)
  await fillNews(filler, place, extent)
  await fillOthers(filler, place, extent, start)
}

async function fillWork(filler: Filler, place: Place, extent: Extent, start: number): Promise<void> {
  const { planted, userId, issueId } = place
  const all = extent.issues + extent.pulls
  const issue: Columns = {
    id: `${start} + n`,
    repository_id: `${planted.repositoryId}`,
    number: '1000 + n',
    is_pull: `n > ${extent.issues}`,
    author_id: `case when n % 2 = 0 then ${userId} else ${BASE} + 1 + n % 1000 end`,
    title: `'Busy ' || n`,
    body: `'A long story ' || md5(n::text)`,
    is_closed: 'n % 3 = 0',
    milestone_id: `${planted.after.milestones}`,
    ref: `''`,
    audience: `(select audience from repository where id = ${planted.repositoryId})`,
    ...at,
  }
  await filler.rows('issue', all, issue)
  await filler.run(
    `update issue_number set last = ${1001 + all} where repository_id = ${planted.repositoryId}`,
  )
  await filler.rows('issue_label', all, { issue_id: `${start} + n`, label_id: `${planted.after.labels}` })
  await filler.rows('issue_assignee', all / 2, {
    issue_id: `${start} + n * 2`,
    user_id: `${userId}`,
    created_at: NOW,
  })
  const comment = {
    repository_id: `${planted.repositoryId}`,
    kind: `'comment'`,
    body: `'So be it ' || n`,
    ...at,
  }
  // On all of them, and as many on one.
  for (const on of [`${start} + n`, `${issueId}`])
    await filler.rows('issue_comment', all, { issue_id: on, author_id: `${userId}`, ...comment })
  await filler.rows('tracked_time', all, {
    issue_id: `${start} + n`,
    repository_id: `${planted.repositoryId}`,
    user_id: `${userId}`,
    seconds: '60',
    created_at: later,
  })
  await filler.run(`insert into pull_request (issue_id, repository_id, number, is_open, base_branch,
      head_repository_id, head_branch, flow, head_oid, version, merge_base, allows_maintainer_edit, mergeability,
      created_at)
    select id, repository_id, number, not is_closed, 'main', repository_id, 'busy-' || number, 'branch',
      md5(id::text) || 'abcdef01', 1, md5('base') || 'abcdef01', false, 'mergeable', created_at
    from issue where is_pull and id > ${start} and id <= ${start + all}`)
  await filler.run(`insert into issue_reviewer (issue_id, user_id, is_requested, has_reviewed, updated_at)
    select issue_id, ${userId}, true, false, created_at
    from pull_request where issue_id > ${start} and issue_id <= ${start + all}`)
}

async function fillNews(
  filler: Filler,
  { planted, userId, issueId }: Place,
  { news }: Extent,
): Promise<void> {
  await filler.rows('notification', news, {
    user_id: `${userId}`,
    repository_id: `${BASE} + 1 + n % 1000`,
    issue_id: `${BASE} + n`,
    status: `case when n % 3 = 0 then 'unread' else 'read' end`,
    ...at,
  })
  await filler.run(`insert into notification (user_id, repository_id, issue_id, status, created_at, updated_at)
    values (${userId}, ${planted.repositoryId}, ${issueId}, 'unread', ${NOW}, ${NOW}) on conflict do nothing`)
  const act = {
    repository_id: `${planted.repositoryId}`,
    actor_id: `${userId}`,
    is_private: 'false',
    created_at: later,
  }
  await filler.rows('activity', news, {
    id: `${BASE} * 100 + ${planted.repositoryId} * ${BASE} + n`,
    op_type: `'create_issue'`,
    content: `'1|Title'`,
    ...act,
  })
  for (const recipient of [userId, planted.ownerId])
    await filler.rows('activity_feed', news, {
      activity_id: `${BASE} * 100 + ${planted.repositoryId} * ${BASE} + n`,
      recipient_id: `${recipient}`,
      ...act,
    })
}

async function fillOthers(filler: Filler, place: Place, { others }: Extent, start: number): Promise<void> {
  const { planted, userId } = place
  const here = { repository_id: `${planted.repositoryId}` }
  const oid = `md5(n::text) || 'abcdef01'`
  await filler.run(`update repository set owner_id = ${planted.ownerId}
    where id > ${BASE} and id <= ${BASE} + ${others} and ${start} > ${BASE} * 20`)
  for (const table of ['watch', 'star']) {
    await filler.rows(table, others, {
      user_id: `${userId}`,
      repository_id: `${BASE} + n`,
      created_at: later,
    })
    await filler.rows(table, others, { user_id: `${BASE} + n`, ...here, created_at: later })
  }
  for (const [follower, followed] of [
    [`${userId}`, `${BASE} + n`],
    [`${BASE} + n`, `${userId}`],
  ] as const)
    await filler.rows('follow', others, { follower_id: follower, followed_id: followed, created_at: later })
  await filler.rows('collaboration', others, {
    ...here,
    user_id: `${BASE} + n`,
    level: `'read'`,
    created_at: later,
  })
  await filler.rows('membership', others, { organization_id: `${planted.ownerId}`, user_id: `${BASE} + n` })
  await filler.run(`insert into team_member (organization_id, team_id, user_id)
    select team.organization_id, team.id, ${BASE} + n from team cross join generate_series(1, ${others}) as n
    where organization_id = ${planted.ownerId} on conflict do nothing`)
  await filler.run(`insert into team_repository (team_id, repository_id, organization_id)
    select team.id, repository.id, team.organization_id from team
    join repository on repository.owner_id = team.organization_id
    where team.organization_id = ${planted.ownerId} on conflict do nothing`)
  await filler.rows('release', others, {
    ...here,
    tag: `'v' || n`,
    target: `'main'`,
    title: `'v' || n`,
    note: `''`,
    is_draft: 'false',
    is_prerelease: 'false',
    created_at: later,
  })
  for (const table of ['label', 'milestone'])
    await filler.rows(table, others, {
      ...here,
      ...(table === 'label'
        ? { name: `'label-' || n`, color: `'00ff00'` }
        : { title: `'milestone-' || n`, description: `''`, is_closed: 'n % 2 = 0' }),
      ...at,
    })
  await filler.rows('commit_status', others, {
    ...here,
    oid: `'${planted.after.commits}'`,
    context: `'ci/' || n`,
    state: `'success'`,
    description: `''`,
    target_url: `''`,
    created_at: later,
  })
  const run = { status: `'success'`, started_at: later, stopped_at: later, ...at }
  await filler.rows('action_run', others, {
    id: `${start} + n`,
    ...here,
    number: 'n',
    title: `'a run'`,
    workflow_file: `'check.yml'`,
    workflow_path: `'.gitea/workflows/check.yml'`,
    workflow: `'on: push'`,
    event: `'push'`,
    payload: `'{}'`,
    ref: `'refs/heads/main'`,
    head_sha: oid,
    ...run,
  })
  await filler.rows('action_attempt', others, { run_id: `${start} + n`, attempt: '1', ...here, ...run })
  await filler.rows('action_job', others, {
    id: `${start} + n`,
    run_id: `${start} + n`,
    attempt: '1',
    ...here,
    key: `'build'`,
    name: `'build'`,
    ...run,
  })
  await filler.run(`insert into git_ref (storage_id, name, oid, generation)
    select storage_id, kind || n, ref.oid, 1 from git_ref as ref
    join repository using (storage_id) cross join generate_series(1, ${others}) as n
    cross join (values ('refs/heads/branch-'), ('refs/tags/tag-')) as kinds (kind)
    where repository.id = ${planted.repositoryId} and ref.name = 'refs/heads/main' on conflict do nothing`)
  await filler.rows('webhook_delivery', others, {
    uuid: `md5('hot' || ${start} || n)::uuid`,
    webhook_id: `${planted.after.hooks}`,
    payload_id: `${BASE} + n`,
    state: `'delivered'`,
    next_at: later,
    expires_at: later,
    created_at: later,
  })
  await filler.rows('package', others, {
    id: `${start} + n`,
    owner_id: `${planted.ownerId}`,
    type: `'generic'`,
    name: `'ware' || n`,
    name_key: `'ware' || n`,
    created_at: later,
  })
  const version = { owner_id: `${planted.ownerId}`, creator_id: `${userId}`, created_at: later }
  await filler.rows('package_version', others, {
    package_id: `${start} + n`,
    version: `'1'`,
    version_key: `'1'`,
    ...version,
  })
  await filler.run(`insert into package_version (package_id, owner_id, creator_id, version, version_key, created_at)
    select package.id, owner_id, ${userId}, '2.' || n, '2.' || n, ${NOW}
    from package cross join generate_series(1, ${others}) as n
    where owner_id = ${planted.ownerId} and name_key = '${planted.marker}' on conflict do nothing`)
  await filler.rows('audit_record', others * 10, {
    at: later,
    operation: `'issueCreateIssue'`,
    outcome: `'done'`,
    account_id: `${userId}`,
    account: `'somebody'`,
    via: `'token'`,
    node: `'node'`,
    ...here,
    owner_id: `${planted.ownerId}`,
    target: `''`,
    times: '1',
  })
  await filler.rows('access_token', others, {
    account_id: `${userId}`,
    name: `'token-' || n`,
    digest: `sha256(('hot' || ${start} || n)::bytea)`,
    last_eight: `'01234567'`,
    scopes: `'{all}'`,
    created_at: later,
  })
}
