/**
 * A list that crosses: the open issues that somebody wrote, the newest first, with their total. One statement on one
 * database with everything, against the same statement on three shards whose answers a node merges.
 */
import { must } from '#platform/must'
import type { Pool } from '#platform/pool'
import type { Cluster } from './cluster.ts'
import { note, noteSpread, short, spreadOf, timed } from './figures.ts'
import { memberOf } from './scene.ts'

const REPOSITORIES = 900
const ISSUES = 90_000
const AUTHORS = 40
const BASE = 2_000_000
const ROUNDS = Number(process.env.SHARDS_ROUNDS ?? 60)
const SIZE = 50
const DEEP = 20
/** As the search of issues: exact up to here. */
const TOTAL_MAX = 10_000

interface Found {
  readonly id: number
  readonly at: number
}
interface Page {
  readonly rows: readonly Found[]
  readonly total: number
}

export async function measureLists({ instance, shards }: Cluster): Promise<void> {
  // The instance plays the one database: its own tables of networks are empty otherwise.
  await fill(instance.pool, 'true')
  for (const [i, { pool }] of shards.entries()) await fill(pool, `n % ${shards.length} = ${i}`)
  const pools = shards.map(({ pool }) => pool)
  for (const page of [1, DEEP]) {
    const one: number[] = []
    const three: number[] = []
    let read = 0
    for (let i = 0; i < ROUNDS; i++) {
      const author = memberOf(i % AUTHORS)
      const [oneMs, whole] = await timed(() =>
        ask(instance.pool, author, { skip: (page - 1) * SIZE, take: SIZE }),
      )
      one.push(oneMs)
      const [threeMs, merged] = await timed(() => askAll(pools, author, page))
      three.push(threeMs)
      read = merged.read
      if (JSON.stringify(whole) !== JSON.stringify(merged.page)) throw new Error('the answers differ')
    }
    noteSpread(`issues of an author, page ${page}, one database`, one)
    noteSpread(`issues of an author, page ${page}, three shards and a merge`, three)
    note(
      `ratio of the two, page ${page}; rows read for ${SIZE} shown`,
      `${short(spreadOf(three).p50 / spreadOf(one).p50)}; ${read}`,
    )
  }
}

/** Each shard must answer with all rows up to the end of the page: nobody knows how many of them are in the other shards. */
async function askAll(
  pools: readonly Pool[],
  author: number,
  page: number,
): Promise<{ page: Page; read: number }> {
  const answers = await Promise.all(pools.map((pool) => ask(pool, author, { skip: 0, take: page * SIZE })))
  const rows = answers
    .flatMap((it) => it.rows)
    .sort((one, other) => other.at - one.at || other.id - one.id)
    .slice((page - 1) * SIZE, page * SIZE)
  const total = Math.min(
    TOTAL_MAX,
    answers.reduce((sum, it) => sum + it.total, 0),
  )
  return { page: { rows, total }, read: answers.reduce((sum, it) => sum + it.rows.length, 0) }
}

async function ask(
  pool: Pool,
  author: number,
  { skip, take }: { skip: number; take: number },
): Promise<Page> {
  const visible = `author_id = $1 and not is_closed and (audience in ('public', 'limited')
    or repository_id in (select repository_id from team_repository join team_member using (team_id)
      where team_member.user_id = $1))`
  const [rows, counted] = await Promise.all([
    pool.query<Found>(
      `select id, extract(epoch from created_at)::float8 as at from issue where ${visible}
       order by created_at desc, id desc offset $2 limit $3`,
      [author, skip, take],
    ),
    pool.query<{ total: number }>(
      `select count(*)::int as total from (select from issue where ${visible} limit ${TOTAL_MAX}) as found`,
      [author],
    ),
  ])
  return { rows: rows.rows, total: must(counted.rows[0], 'one row').total }
}

/** `here`: which of the repositories `n`. */
async function fill(pool: Pool, here: string): Promise<void> {
  const repositories = `(select n from generate_series(1, ${REPOSITORIES}) as n where ${here}) as repository`
  await pool.query(`insert into git_storage (id, object_format, head, created_at) overriding system value
    select ${BASE} + n, 'sha1', 'refs/heads/main', now() from ${repositories}`)
  await pool.query(`insert into repository (id, owner_id, storage_id, name, name_key, created_at, updated_at)
    overriding system value
    select ${BASE} + n, ${memberOf(0)}, ${BASE} + n, 'stock' || n, 'stock' || n, now(), now() from ${repositories}`)
  await pool.query(`insert into issue (id, repository_id, number, is_pull, author_id, title, body, is_closed, closed_at,
      ref, comments, created_at, updated_at) overriding system value
    select ${BASE} + m, ${BASE} + n, m, false, ${memberOf(0)} + m % ${AUTHORS}, 'Title ' || m, 'It fails', m / ${REPOSITORIES} % 3 = 0,
      case when m / ${REPOSITORIES} % 3 = 0 then now() end, '', 0, timestamptz '2026-01-01' + m * interval '1 minute',
      timestamptz '2026-01-01' + m * interval '1 minute'
    from (select m, 1 + m % ${REPOSITORIES} as n from generate_series(1, ${ISSUES}) as m) as issues where ${here}`)
  await pool.query('analyze')
}
