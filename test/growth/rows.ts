/** The many: what every installation has, in the proportions of the issue, spread evenly over its repositories. */
import type { Filler } from './fill.ts'

export interface Sizes {
  readonly repositories: number
  /** For each repository. */
  readonly issues: number
  readonly packs: number
  readonly feeds: number
}

/** Ids of the many begin here; those of what was made over REST are below. */
export const BASE = 10_000_000
/** The clock of the forge stands still here. */
const NOW = `timestamptz '2026-01-01'`
const DAYS = 300

/** Evenly over the last months. */
const ago = (count: number) => `${NOW} - ${DAYS} * interval '1 day' * (${count} - n + 1)::float8 / ${count}`
const oid = (seed: string) => `md5(${seed}) || 'abcdef01'`
const uuid = (seed: string) => `md5(${seed})::uuid`

export async function fillMany(filler: Filler, sizes: Sizes): Promise<void> {
  const counts = countsOf(sizes)
  await fillPeople(filler, counts)
  await fillRepositories(filler, sizes, counts)
  await fillIssues(filler, sizes)
  await fillPulls(filler, sizes)
  await fillNews(filler, sizes, counts)
  await fillActions(filler, sizes)
  await fillRest(filler, sizes, counts)
}

interface Counts {
  readonly users: number
  readonly organizations: number
}

function countsOf({ repositories }: Sizes): Counts {
  return { users: Math.ceil(repositories / 10), organizations: Math.ceil(repositories / 50) }
}

const userOf = (seed: string, { users }: Counts) => `${BASE} + 1 + (${seed}) % ${users}`

async function fillPeople(filler: Filler, { users, organizations }: Counts): Promise<void> {
  const all = users + organizations
  await filler.rows('account', all, {
    id: `${BASE} + n`,
    kind: `case when n <= ${users} then 'user' else 'organization' end`,
    login: `'Person' || n`,
    login_key: `'person' || n`,
    full_name: `'Given ' || n`,
    email: `'person' || n || '@example.test'`,
    visibility: `case n % 50 when 7 then 'limited' else 'public' end`,
    created_at: ago(all),
    updated_at: ago(all),
  })
  await filler.rows('account_count', all, { account_id: `${BASE} + n`, repositories: '10', followers: '3' })
  await filler.rows('account_email', users, {
    account_id: `${BASE} + n`,
    email: `'person' || n || '@example.test'`,
    email_key: `'person' || n || '@example.test'`,
    is_primary: 'true',
  })
  await filler.rows('organization', organizations, { account_id: `${BASE} + ${users} + n` })
  await filler.rows('team', organizations, {
    id: `${BASE} + n`,
    organization_id: `${BASE} + ${users} + n`,
    name: `'Owners'`,
    name_key: `'owners'`,
    level: `'owner'`,
    visibility: `'private'`,
    includes_all_repositories: 'true',
    created_at: ago(organizations),
  })
  const member = `${BASE} + 1 + (n * 7) % ${users}`
  const members = organizations * 5
  const organization = `${BASE} + ${users} + 1 + n % ${organizations}`
  const team = `${BASE} + 1 + n % ${organizations}`
  await filler.rows('membership', members, { organization_id: organization, user_id: member })
  await filler.rows('team_member', members, { organization_id: organization, team_id: team, user_id: member })
  const token = { created_at: ago(users), last_used_at: ago(users) }
  await filler.rows('access_token', users, {
    account_id: `${BASE} + n`,
    name: `'token'`,
    digest: `sha256(n::text::bytea)`,
    last_eight: `'01234567'`,
    scopes: `'{all}'`,
    ...token,
  })
  await filler.rows('public_key', users, {
    account_id: `${BASE} + n`,
    title: `'key'`,
    fingerprint: `'SHA256:' || md5(n::text)`,
    key: `'ssh-ed25519 ' || md5(n::text)`,
    ...token,
  })
  await filler.rows('web_session', users, {
    digest: `sha256(n::text::bytea)`,
    account_id: `${BASE} + n`,
    factors: `'{password}'`,
    agent: `'agent'`,
    address: `'127.0.0.1'`,
    created_at: ago(users),
    seen_at: ago(users),
    idle_until: `${NOW} + interval '20 days'`,
    expires_at: `${NOW} + interval '30 days'`,
  })
  const other = `${BASE} + 1 + (n * 13) % ${users}`
  await filler.rows('follow', users * 3, {
    follower_id: `${BASE} + 1 + n % ${users}`,
    followed_id: other,
    created_at: NOW,
  })
}

async function fillRepositories(
  filler: Filler,
  { repositories, packs }: Sizes,
  counts: Counts,
): Promise<void> {
  const { users, organizations } = counts
  const id = { repository_id: `${BASE} + n` }
  const at = { created_at: ago(repositories), updated_at: ago(repositories) }
  await filler.rows('git_storage', repositories, {
    id: `${BASE} + n`,
    object_format: `'sha1'`,
    head: `'refs/heads/main'`,
    created_at: ago(repositories),
  })
  await filler.rows('repository', repositories, {
    id: `${BASE} + n`,
    owner_id: `case when n % 5 = 0 then ${BASE} + ${users} + 1 + n / 5 % ${organizations}
      else ${BASE} + 1 + n % ${users} end`,
    storage_id: `${BASE} + n`,
    name: `'Stock' || n`,
    name_key: `'stock' || n`,
    description: `'Keeps ' || n || ' of ' || substr(md5(n::text), 1, 6)`,
    is_private: 'n % 5 = 3',
    audience: `case when n % 5 = 3 then 'private' else 'public' end`,
    topics: `case when n % 10 = 1 then array['topic-' || n % 1000] else '{}' end`,
    language: `case n % 3 when 0 then 'Go' when 1 then 'TypeScript' else '' end`,
    ...at,
  })
  await filler.run(`insert into repository_tally (audience, part, repositories)
    select audience, owner_id % 16, count(*) from repository where id > ${BASE} group by 1, 2
    on conflict (audience, part) do update set repositories = repository_tally.repositories + excluded.repositories`)
  await filler.run(`insert into topic (name, repositories, created_at, updated_at)
    select topic, count(*), ${NOW}, ${NOW} from repository, unnest(topics) as topic
    where audience = 'public' and id > ${BASE} group by 1 on conflict do nothing`)
  await filler.rows('repository_count', repositories, {
    ...id,
    stars: 'n * 7919 % 1000',
    forks: 'n * 7907 % 100',
    open_issues: '5',
    open_pulls: '1',
    bytes: '1000',
  })
  await filler.rows('issue_number', repositories, { ...id, last: '1000' })
  await filler.rows('git_ref', repositories * 2, {
    storage_id: `${BASE} + (n + 1) / 2`,
    name: `case n % 2 when 0 then 'refs/heads/main' else 'refs/heads/topic' end`,
    oid: oid('n::text'),
    generation: '1',
  })
  const packed = repositories * packs
  await filler.rows('git_pack', packed, {
    id: uuid(`'pack' || n`),
    digest: `md5(n::text) || md5(n::text)`,
    bytes: '1000',
    index_bytes: '100',
    object_count: '10',
    kind: `'receive'`,
    created_at: ago(packed),
  })
  await filler.rows('git_storage_pack', packed, {
    storage_id: `${BASE} + 1 + (n - 1) / ${packs}`,
    pack_id: uuid(`'pack' || n`),
    added_generation: 'n % 10',
  })
  for (const table of ['watch', 'star'])
    await filler.rows(table, repositories * 3, {
      user_id: userOf('n * 17', counts),
      repository_id: `${BASE} + 1 + n % ${repositories}`,
      created_at: NOW,
    })
  await filler.rows('collaboration', repositories, {
    ...id,
    user_id: userOf('n * 3', counts),
    level: `'write'`,
    created_at: NOW,
  })
  await filler.run(`insert into team_repository (team_id, repository_id, organization_id)
    select team.id, repository.id, team.organization_id from team
    join repository on repository.owner_id = team.organization_id where team.id > ${BASE} on conflict do nothing`)
}

/** The last two tenths of the issues of a repository are pull requests. */
async function fillIssues(filler: Filler, { repositories, issues }: Sizes): Promise<void> {
  const all = repositories * issues
  const users = Math.ceil(repositories / 10)
  const repository = `${BASE} + 1 + (n - 1) / ${issues}`
  const author = `${BASE} + 1 + (n * 11) % ${users}`
  await filler.rows('label', repositories, {
    id: `${BASE} + n`,
    repository_id: `${BASE} + n`,
    name: `'bug'`,
    color: `'ff0000'`,
    created_at: NOW,
    updated_at: NOW,
  })
  await filler.rows('label_count', repositories, { label_id: `${BASE} + n`, issues: '5' })
  await filler.rows('milestone', repositories, {
    id: `${BASE} + n`,
    repository_id: `${BASE} + n`,
    title: `'v' || n`,
    description: `''`,
    is_closed: 'false',
    created_at: NOW,
    updated_at: NOW,
  })
  await filler.rows('milestone_count', repositories, { milestone_id: `${BASE} + n`, open_issues: '2' })
  await filler.rows('issue', all, {
    id: `${BASE} + n`,
    repository_id: repository,
    number: `1 + (n - 1) % ${issues}`,
    is_pull: `(n - 1) % ${issues} >= ${issues} * 8 / 10`,
    author_id: author,
    title: `'Title ' || n`,
    body: `'It fails with ' || substr(md5(n::text), 1, 8)`,
    is_closed: 'n % 3 = 0',
    closed_at: `case when n % 3 = 0 then ${NOW} end`,
    milestone_id: `case when n % 5 = 0 then ${repository} end`,
    ref: `''`,
    audience: `case when (1 + (n - 1) / ${issues}) % 5 = 3 then 'private' else 'public' end`,
    comments: '1',
    created_at: ago(all),
    updated_at: ago(all),
  })
  await filler.rows('issue_comment', all, {
    issue_id: `${BASE} + n`,
    repository_id: repository,
    kind: `'comment'`,
    author_id: `${BASE} + 1 + (n * 19) % ${users}`,
    body: `'Seen as well: ' || substr(md5((n * 3)::text), 1, 8)`,
    created_at: ago(all),
    updated_at: ago(all),
  })
  await filler.rows('issue_label', all / 2, {
    issue_id: `${BASE} + n * 2`,
    label_id: `${BASE} + 1 + (n * 2 - 1) / ${issues}`,
  })
  await filler.rows('issue_assignee', all / 4, {
    issue_id: `${BASE} + n * 4`,
    user_id: `${BASE} + 1 + (n * 23) % ${users}`,
    created_at: NOW,
  })
  await filler.rows('issue_subscription', all / 10, {
    issue_id: `${BASE} + n * 10`,
    user_id: `${BASE} + 1 + (n * 29) % ${users}`,
    is_subscribed: 'true',
    updated_at: NOW,
  })
  for (const [table, part] of [
    ['tracked_time', 20],
    ['reaction', 10],
  ] as const)
    await filler.rows(table, all / part, {
      issue_id: `${BASE} + n * ${part}`,
      user_id: `${BASE} + 1 + (n * 31) % ${users}`,
      created_at: NOW,
      ...(table === 'reaction'
        ? { content: `'+1'` }
        : { seconds: '60', repository_id: `${BASE} + 1 + (n * ${part} - 1) / ${issues}` }),
    })
}

async function fillPulls(filler: Filler, { repositories, issues }: Sizes): Promise<void> {
  const users = Math.ceil(repositories / 10)
  await filler.run(`insert into pull_request (issue_id, repository_id, number, is_open, base_branch,
      head_repository_id, head_branch, flow, head_oid, version, merge_base, allows_maintainer_edit, mergeability,
      created_at)
    select id, repository_id, number, not is_closed, 'main', repository_id, 'topic', 'branch',
      ${oid('id::text')}, 1, ${oid(`'base'`)}, false, 'mergeable', created_at
    from issue where is_pull and id > ${BASE}`)
  await filler.run(`insert into pull_version (issue_id, version, head_oid, base_oid, merge_base, created_at)
    select issue_id, 1, head_oid, merge_base, merge_base, created_at from pull_request where issue_id > ${BASE}`)
  await filler.run(`insert into review (issue_id, reviewer_id, kind, body, head_oid, version, is_official,
      created_at, updated_at)
    select issue_id, ${BASE} + 1 + issue_id % ${users}, 'approve', '', head_oid, 1, true, created_at, created_at
    from pull_request where issue_id > ${BASE}`)
  await filler.run(`insert into issue_reviewer (issue_id, user_id, is_requested, has_reviewed, updated_at)
    select issue_id, ${BASE} + 1 + issue_id * 3 % ${users}, true, false, created_at
    from pull_request where issue_id > ${BASE}`)
  await filler.rows('commit_status', repositories * 2, {
    repository_id: `${BASE} + (n + 1) / 2`,
    oid: oid(`(${BASE} + (n + 1) / 2 * ${issues})::text`),
    context: `'ci/' || n % 2`,
    state: `'success'`,
    description: `''`,
    target_url: `''`,
    created_at: ago(repositories * 2),
  })
}

async function fillNews(
  filler: Filler,
  { repositories, issues, feeds }: Sizes,
  counts: Counts,
): Promise<void> {
  const acts = repositories * issues
  const told = repositories * feeds
  const act = `(n * 7919 % ${acts} + 1)`
  await filler.rows('activity', acts, {
    id: `${BASE} + n`,
    repository_id: `${BASE} + 1 + n % ${repositories}`,
    actor_id: userOf('n * 11', counts),
    op_type: `'create_issue'`,
    content: `'1|Title'`,
    is_private: 'false',
    created_at: ago(acts),
  })
  await filler.rows('activity_feed', told, {
    recipient_id: userOf('n', counts),
    created_at: ago(told),
    activity_id: `${BASE} + ${act}`,
    repository_id: `${BASE} + 1 + ${act} % ${repositories}`,
    actor_id: userOf(`case when n % 4 = 0 then n else ${act} * 11 end`, counts),
    is_private: 'false',
  })
  await filler.rows('notification', told, {
    user_id: userOf('n', counts),
    repository_id: `${BASE} + 1 + (n * 7919 % ${acts}) / ${issues}`,
    issue_id: `${BASE} + 1 + n * 7919 % ${acts}`,
    status: `case when n % 3 = 0 then 'unread' else 'read' end`,
    created_at: ago(told),
    updated_at: ago(told),
  })
}

async function fillActions(filler: Filler, { repositories }: Sizes): Promise<void> {
  const at = { created_at: ago(repositories), updated_at: ago(repositories) }
  const ids = { id: `${BASE} + n`, repository_id: `${BASE} + n` }
  const done = { status: `'success'`, started_at: ago(repositories), stopped_at: ago(repositories) }
  await filler.rows('action_run', repositories, {
    ...ids,
    number: '1',
    title: `'a run'`,
    workflow_file: `'check.yml'`,
    workflow_path: `'.gitea/workflows/check.yml'`,
    workflow: `'on: push'`,
    event: `'push'`,
    payload: `'{}'`,
    ref: `'refs/heads/main'`,
    head_sha: oid('n::text'),
    ...done,
    ...at,
  })
  await filler.rows('action_attempt', repositories, {
    run_id: `${BASE} + n`,
    attempt: '1',
    repository_id: `${BASE} + n`,
    ...done,
    ...at,
  })
  await filler.rows('action_job', repositories, {
    ...ids,
    run_id: `${BASE} + n`,
    attempt: '1',
    key: `'build'`,
    name: `'build'`,
    task_id: `${BASE} + n`,
    ...done,
    ...at,
  })
  await filler.rows('action_task', repositories, {
    ...ids,
    job_id: `${BASE} + n`,
    runner_name: `'runner'`,
    log_lines: '10',
    log_bytes: '1000',
    is_log_done: 'true',
    heard_at: ago(repositories),
    ...done,
  })
  await filler.rows('action_log_piece', repositories, {
    object_key: `'actions/logs/' || n`,
    task_id: `${BASE} + n`,
    lines: '10',
    bytes: '1000',
    created_at: ago(repositories),
  })
  await filler.rows('action_artifact', repositories, {
    ...ids,
    run_id: `${BASE} + n`,
    name: `'dist'`,
    protocol: `'v4'`,
    is_complete: 'true',
    bytes: '10',
    ...at,
    expires_at: `${ago(repositories)} + interval '90 days'`,
  })
}

async function fillRest(filler: Filler, { repositories }: Sizes, counts: Counts): Promise<void> {
  const { users } = counts
  const some = Math.ceil(repositories / 10)
  const at = { created_at: ago(repositories) }
  await filler.rows('release', repositories, {
    repository_id: `${BASE} + n`,
    tag: `'v1'`,
    target: `'main'`,
    title: `'one'`,
    note: `''`,
    is_draft: 'false',
    is_prerelease: 'false',
    ...at,
  })
  await filler.rows('webhook', some, {
    id: `${BASE} + n`,
    scope: `'repository'`,
    repository_id: `${BASE} + n`,
    type: `'gitea'`,
    url: `'http://example.test/'`,
    content_type: `'json'`,
    events: `'{push}'`,
    created_at: NOW,
    updated_at: NOW,
  })
  await filler.rows('webhook_payload', repositories, {
    id: `${BASE} + n`,
    type: `'push'`,
    facts: `'{}'`,
    body: `'{}'`,
    ...at,
  })
  await filler.rows('webhook_delivery', repositories, {
    uuid: uuid('n::text'),
    webhook_id: `${BASE} + 1 + n % ${some}`,
    payload_id: `${BASE} + n`,
    state: `'delivered'`,
    next_at: ago(repositories),
    expires_at: ago(repositories),
    ...at,
  })
  const records = repositories * 10
  await filler.rows('audit_record', records, {
    id: `${BASE} + n`,
    at: ago(records),
    operation: `case n % 3 when 0 then 'issueCreateIssue' when 1 then 'createOrgRepo' else 'repoEdit' end`,
    outcome: `case when n % 50 = 0 then 'refused' else 'done' end`,
    account_id: userOf('n', counts),
    account: `'person'`,
    via: `'token'`,
    node: `'node'`,
    repository_id: `${BASE} + 1 + n % ${repositories}`,
    owner_id: userOf('n * 3', counts),
    target: `''`,
    times: '1',
  })
  await filler.rows('event', repositories, {
    id: `${BASE} + n`,
    subject: `'issue.opened'`,
    payload: `'{}'`,
    ...at,
  })
  await filler.rows('package', some, {
    id: `${BASE} + n`,
    owner_id: `${BASE} + 1 + n % ${users}`,
    type: `'generic'`,
    name: `'pack' || n`,
    name_key: `'pack' || n`,
    created_at: NOW,
  })
  await filler.rows('package_version', repositories, {
    id: `${BASE} + n`,
    package_id: `${BASE} + 1 + n % ${some}`,
    owner_id: `${BASE} + 1 + (n % ${some} + 1) % ${users}`,
    version: `'1.' || n`,
    version_key: `'1.' || n`,
    ...at,
  })
  await filler.rows('package_blob', repositories, {
    id: `${BASE} + n`,
    key: uuid('n::text'),
    bytes: '10',
    md5: 'md5(n::text)',
    sha1: 'md5(n::text)',
    sha256: 'md5(n::text) || md5(n::text)',
    sha512: 'md5(n::text)',
    ...at,
  })
  await filler.rows('package_file', repositories, {
    version_id: `${BASE} + n`,
    blob_id: `${BASE} + n`,
    name: `'file'`,
    name_key: `'file'`,
    ...at,
  })
  await filler.rows('lfs_object', repositories, {
    id: `${BASE} + n`,
    oid: 'md5(n::text) || md5(n::text)',
    bytes: '10',
    key: uuid('n::text'),
    ...at,
  })
  await filler.rows('lfs_link', repositories, { storage_id: `${BASE} + n`, object_id: `${BASE} + n`, ...at })
  await filler.rows('attachment', repositories, {
    uuid: uuid('n::text'),
    issue_id: `${BASE} + n`,
    name: `'a.png'`,
    bytes: '10',
    picture_type: `''`,
    uploader_id: userOf('n', counts),
    ...at,
  })
  await filler.rows('deleted_branch', repositories, {
    repository_id: `${BASE} + n`,
    name: `'gone'`,
    oid: oid('n::text'),
    deleted_at: ago(repositories),
  })
  await filler.rows('draft', some, {
    account_id: userOf('n', counts),
    place: `'issue:' || n`,
    text: `'text'`,
    updated_at: ago(some),
  })
  await filler.rows('token_use', repositories, {
    token_id: 'n',
    day: `date '2025-12-31' - (n % 100)::int`,
    place_id: 'n',
    part: `'issues'`,
    level: `'read'`,
  })
  await filler.rows('project', some, {
    id: `${BASE} + n`,
    repository_id: `${BASE} + n`,
    title: `'board'`,
    description: `''`,
    template_type: `'none'`,
    card_type: `'text_only'`,
    created_at: NOW,
    updated_at: NOW,
  })
}
