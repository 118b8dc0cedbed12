/**
 * Rows for the measurements by SQL: an organization with a team of many members on the instance, and one repository of it
 * with a branch in every shard.
 */
import type { Pool, PoolClient } from '#platform/pool'
import type { Cluster, Server } from './cluster.ts'

const ORGANIZATION = 1_000_000
const TEAM = 1_000_000
const REPOSITORY = 1_000_000
const MEMBERS = 400
const FOLLOWED = 25
export const memberOf = (n: number) => ORGANIZATION + 1 + (n % MEMBERS)

/** Before shards subscribe. */
export async function fillInstance({ pool }: Server): Promise<void> {
  await pool.query(`insert into account (id, kind, login, login_key, email, created_at, updated_at)
    overriding system value
    select ${ORGANIZATION} + n, case n when 0 then 'organization' else 'user' end, 'person' || n, 'person' || n,
      'person' || n || '@example.test', now(), now() from generate_series(0, ${MEMBERS}) as n`)
  await pool.query(`insert into organization (account_id) values (${ORGANIZATION})`)
  await pool.query(`insert into team (id, organization_id, name, name_key, level, visibility,
      includes_all_repositories, created_at) overriding system value
    values (${TEAM}, ${ORGANIZATION}, 'Writers', 'writers', 'write', 'private', true, now())`)
  await pool.query(`insert into membership (organization_id, user_id)
    select ${ORGANIZATION}, ${ORGANIZATION} + n from generate_series(1, ${MEMBERS}) as n`)
  await pool.query(`insert into team_member (organization_id, team_id, user_id)
    select ${ORGANIZATION}, ${TEAM}, ${ORGANIZATION} + n from generate_series(1, ${MEMBERS}) as n`)
  await pool.query(`insert into access_token (account_id, name, digest, last_eight, scopes, created_at, last_used_at)
    select ${ORGANIZATION} + n, 'token', sha256(n::text::bytea), '01234567', '{all}', now(), now()
    from generate_series(1, ${MEMBERS}) as n`)
}

/** For large transactions: a change of all of these is applied row by row. */
export async function fillFollowers({ pool }: Server): Promise<void> {
  await pool.query(`insert into follow (follower_id, followed_id, created_at)
    select ${ORGANIZATION} + one, ${ORGANIZATION} + other, now()
    from generate_series(1, ${MEMBERS}) as one, generate_series(1, ${FOLLOWED}) as other where one <> other`)
}

/** After they have subscribed: each has a repository of the organization. */
export async function fillShards({ shards }: Cluster): Promise<void> {
  for (const { pool } of shards) {
    await pool.query(`insert into git_storage (id, object_format, head, created_at) overriding system value
      values (${REPOSITORY}, 'sha1', 'refs/heads/main', now())`)
    await pool.query(`insert into repository (id, owner_id, storage_id, name, name_key, created_at, updated_at)
      overriding system value
      values (${REPOSITORY}, ${ORGANIZATION}, ${REPOSITORY}, 'anvil', 'anvil', now(), now())`)
    await pool.query(`insert into team_repository (team_id, repository_id, organization_id)
      values (${TEAM}, ${REPOSITORY}, ${ORGANIZATION})`)
    await pool.query(`insert into git_ref (storage_id, name, oid, generation)
      values (${REPOSITORY}, 'refs/heads/main', repeat('0', 40), 1)`)
  }
}

/** Takes the right away; returns when the instance has committed. `waits`: for the shards that the instance waits for. */
export async function revoke(instance: Server, user: number, waits: boolean): Promise<void> {
  await inTransaction(instance.pool, async (client) => {
    await client.query(`set local synchronous_commit = ${waits ? 'remote_apply' : 'local'}`)
    await client.query('delete from team_member where team_id = $1 and user_id = $2', [TEAM, user])
  })
}

export async function restore(instance: Server, user: number): Promise<void> {
  await inTransaction(instance.pool, async (client) => {
    await client.query('set local synchronous_commit = local')
    await client.query(
      'insert into team_member (organization_id, team_id, user_id) values ($1, $2, $3) on conflict do nothing',
      [ORGANIZATION, TEAM, user],
    )
  })
}

/** Who is asked, in the transaction of a push, whether the pusher may write. */
export interface Judge {
  /** Its copy of the tables, or the instance itself. */
  readonly rights: 'copy' | 'instance'
  /** A copy that has heard nothing for so long is not believed. */
  readonly staleMsMax?: number
}

export type Verdict = 'moved' | 'refused' | 'fenced'

/** What a push does in the end: locks the storage, asks for the right again, moves the ref. */
export function push(cluster: Cluster, shard: Server, user: number, judge: Judge): Promise<Verdict> {
  return inTransaction(shard.pool, async (client) => {
    await client.query('select from git_storage where id = $1 for no key update', [REPOSITORY])
    if (judge.staleMsMax !== undefined && (await ageOfCopy(client)) > judge.staleMsMax) return 'fenced'
    const asked = judge.rights === 'copy' ? client : cluster.instance.pool
    const granted = await client.query<{ team_id: number }>(
      'select team_id from team_repository where repository_id = $1',
      [REPOSITORY],
    )
    const teams = granted.rows.map(({ team_id }) => team_id)
    if (!(await mayWrite(asked, user, teams))) return 'refused'
    await client.query(
      `update git_ref set oid = md5($2::text) || '00000000', generation = generation + 1
       where storage_id = $1 and name = 'refs/heads/main'`,
      [REPOSITORY, user],
    )
    return 'moved'
  })
}

async function mayWrite(asked: Pool | PoolClient, user: number, teams: readonly number[]): Promise<boolean> {
  const { rows } = await asked.query(
    `select from team_member join team on team.id = team_member.team_id
     where team_member.user_id = $1 and team.id = any($2::bigint[]) and team.level in ('write', 'admin', 'owner')`,
    [user, teams],
  )
  return rows.length > 0
}

/** Everything that the instance committed before the beat has been applied, because changes are applied in their order. */
async function ageOfCopy(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp() - at) * 1000)::float8 as ms from beat',
  )
  return rows[0]?.ms ?? Number.POSITIVE_INFINITY
}

export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isDone = false
  try {
    await client.query('begin')
    const answer = await work(client)
    await client.query('commit')
    isDone = true
    return answer
  } finally {
    // A connection in an unknown state is closed.
    client.release(!isDone)
  }
}
