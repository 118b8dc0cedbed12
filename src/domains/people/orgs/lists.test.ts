/** Query cost and index use of lists of organizations and teams. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Expression, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { type Account, actorOf, findAccount, listMembers, type VisibleAccount } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import { assertIndexed, insertMany, startForge } from '#testing'
import { mayCreateRepository, ownsAsLast } from './grants.ts'
import { joinTeam, leaveOrganizations, leaveTeam, removeMember } from './members/members.ts'
import { openOwnedOrg } from './organizations/open-org.ts'
import {
  listOrgsOf,
  listTeamMembers,
  listTeams,
  listTeamsOfActor,
  selectAllOrgs,
  selectOrgsOf,
} from './queries.ts'
import { openOrgTeams, openOwnedTeam, openTeam, openTeamMembers } from './teams/open-team.ts'
import { findTeamsOf, listTeamsWithAll } from './teams/team-store.ts'
import { createTeam, deleteTeam, editTeam } from './teams/teams.ts'

const MANY = 100_000
const PEOPLE = 2_000
const PAGE = { number: 1, limit: 30, offset: 0 }
const TABLES = ['account', 'organization', 'membership', 'team', 'team_unit', 'team_member']

// Filling the tables may take long on a slow machine.
const forge = await startForge({ config: { 'database.statement_timeout_ms': 300_000 } })
after(() => forge[Symbol.asyncDispose]())
const root = await forge.person('root', { is_admin: true })
await forge.person('ann')
await forge.person('eve')

test('every list takes as many queries for fifty rows as for one', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  const team = (await forge.call('ann', 'POST', '/orgs/guild/teams', { name: 'crew' })).body.id
  const lists = [
    '/orgs',
    '/admin/orgs',
    '/user/orgs',
    '/users/ann/orgs',
    '/user/teams',
    `/teams/${team}/members`,
  ]
  for (const path of ['members', 'public_members', 'blocks', 'teams', 'teams/search'])
    lists.push(`/orgs/guild/${path}`)
  const grow = async (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      await forge.person(`p${n}`)
      await forge.person(`b${n}`)
      const made = await forge.call('ann', 'POST', '/orgs', { username: `org${n}` })
      assert.equal(made.status, 201)
      await forge.call('ann', 'POST', '/orgs/guild/teams', { name: `t${n}`, units: ['repo.code'] })
      await forge.call('ann', 'PUT', `/teams/${team}/members/p${n}`)
      await forge.call('ann', 'PUT', `/orgs/guild/public_members/p${n}`)
      await forge.call('ann', 'PUT', `/orgs/guild/blocks/b${n}`)
    }
  }
  const cost = async (least: number) => {
    const costs: Record<string, number> = {}
    for (const path of lists)
      for (const as of ['ann', 'root']) {
        if (as === 'ann' && path.startsWith('/admin')) continue
        if (as === 'root' && path.startsWith('/user/')) continue
        const ask = () => forge.call(as, 'GET', `${path}?limit=50`)
        const { status, headers } = await ask()
        assert.equal(status, 200, path)
        assert.ok(Number(headers.get('x-total-count')) >= least, `${path}: ${headers.get('x-total-count')}`)
        costs[`${path} as ${as}`] = await forge.countQueries(ask)
      }
    return costs
  }
  await grow(0, 1)
  const one = await cost(1)
  await grow(1, 50)
  const fifty = await cost(50)
  assert.deepEqual(fifty, one)
  for (const [list, queries] of Object.entries(fifty)) assert.ok(queries <= 7, `${list}: ${queries}`)
})

test('with 100,000 rows in each table, every statement uses an index', async (t) => {
  await fill()
  const big = await openOwnedOrg(asActor(root), 'big')
  const one = await account('one1000')
  const eve = await account('eve')
  const stranger = await account('one5')
  const owner = await account('one0')

  for (const viewer of [null, asActor(owner).actor, asActor(root).actor]) {
    const name = viewer === null ? 'nobody' : viewer.login
    await held(t, `all organizations, for ${name}`, selectAllOrgs(forge.db, viewer).limit(30), 'account')
    await held(
      t,
      `organizations of somebody, for ${name}`,
      selectOrgsOf(forge.db, one.id, viewer),
      'membership',
    )
  }

  const { ctx, nodes } = watch(asActor(one))
  await listOrgsOf(ctx, one, PAGE)
  await listTeamsOfActor(ctx, asActor(one).actor, PAGE)
  for (const publicOnly of [true, false]) await listMembers(ctx.db, big.id, { publicOnly }, PAGE)
  await listTeams(ctx, await openOrgTeams(ctx, 'big'), PAGE)
  await listTeams(ctx, await openOrgTeams(ctx, 'big'), PAGE, { keyword: '4711', inDescription: true })
  const { team } = await openTeam(ctx, await teamOf('big', 'crew'))
  await listTeamMembers(ctx, await openTeamMembers(ctx, team.id), PAGE)
  await findTeamsOf(ctx.db, big.id, one.id)
  await listTeamsWithAll(ctx.db, big.id)
  await mayCreateRepository(ctx, big)
  await ownsAsLast(ctx.db, owner.id)

  const admin = { ...ctx, actor: asActor(root).actor }
  const outsider = { ...ctx, actor: asActor(stranger).actor }
  await listTeams(outsider, await openOrgTeams(outsider, 'big'), PAGE)
  await listTeams(admin, await openOrgTeams(admin, 'big'), PAGE)
  const fresh = await createTeam(admin, big, { name: 'fresh', units: ['repo.code'] })
  const opened = await openOwnedTeam(admin, fresh.id)
  await editTeam(admin, opened, { name: 'fresher', units: ['repo.wiki'], permission: 'read' })
  await joinTeam(admin, opened, stranger as VisibleAccount)
  await leaveTeam(admin, opened, stranger)
  await removeMember(admin, big, one)
  await joinTeam(admin, opened, eve as VisibleAccount)
  await transact(admin, (ctx) => leaveOrganizations(ctx, eve))
  await deleteTeam(admin, opened)

  let count = 0
  for (const node of nodes)
    for (const table of TABLES.filter((it) => names(node, it))) {
      await assertIndexed(forge.db, { toOperationNode: () => node } as Expression<unknown>, table)
      count += 1
    }
  assert.ok(count >= 80, `only ${count} statements were held`)
})

async function held(
  t: { test: (name: string, run: () => Promise<void>) => Promise<void> },
  name: string,
  query: Expression<unknown>,
  table: string,
): Promise<void> {
  await t.test(name, async () => {
    await assertIndexed(forge.db, query, table)
    await assertIndexed(forge.db, query, 'account')
    await assertIndexed(forge.db, query, 'organization')
  })
}

function asActor(account: Account) {
  return { ...forge.ctx, actor: actorOf(account, { publicOnly: false, via: 'process', tokenId: null }) }
}

/** A context that records every statement. */
function watch(ctx: Context): { ctx: Context; nodes: RootOperationNode[] } {
  const nodes: RootOperationNode[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { ctx: { ...ctx, db: forge.db.withPlugin(plugin) }, nodes }
}

/** Whether a statement uses a table, by the query builder or in raw SQL. */
function names(node: RootOperationNode, table: string): boolean {
  const text = JSON.stringify(node)
  const built = `"SchemableIdentifierNode","identifier":{"kind":"IdentifierNode","name":"${table}"}`
  return text.includes(built) || new RegExp(`from ${table}\\b`).test(text)
}

async function account(login: string): Promise<Account> {
  return (await findAccount(forge.db, login)) as Account
}

async function teamOf(org: string, name: string): Promise<number> {
  const { id } = await forge.db
    .selectFrom('team')
    .select('id')
    .where('organization_id', '=', (await account(org)).id)
    .where('name_key', '=', name)
    .executeTakeFirstOrThrow()
  return id
}

/** One organization with all users but two and a thousand teams; the others small, with one member each. */
async function fill(): Promise<void> {
  const { db } = forge
  const insertAccounts = (kind: string, name: string, rows: number) =>
    sql`insert into account (kind, login, login_key, visibility, created_at, updated_at)
      select ${kind}, ${name} || n, ${name} || n,
        case when n % 50 = 0 then 'private' when n % 20 = 0 then 'limited' else 'public' end, now(), now()
      from generate_series(0, ${sql.lit(rows - 1)}) n`.execute(db)
  await insertAccounts('user', 'one', PEOPLE)
  await insertAccounts('organization', 'company', MANY)
  await forge.call('root', 'POST', '/orgs', { username: 'big' })
  const big = (await account('big')).id
  await insertMany(
    db,
    sql`insert into account_count (account_id) select id from account on conflict do nothing`,
  )
  await insertMany(
    db,
    sql`insert into organization (account_id) select id from account where kind = 'organization'
    on conflict do nothing`,
  )
  await insertMany(
    db,
    sql`insert into team (organization_id, name, name_key, level, visibility, created_at)
    select id, 'Owners', 'owners', 'owner', 'limited', now() from account where login_key like 'company%'`,
  )
  await insertMany(
    db,
    sql`insert into team (organization_id, name, name_key, level, visibility, created_at)
    select ${big}, 'team-' || n, 'team-' || n, 'none', case when n % 100 = 0 then 'public' else 'limited' end, now()
    from generate_series(1, 1000) n`,
  )
  await sql`insert into team (organization_id, name, name_key, level, visibility, created_at)
    values (${big}, 'crew', 'crew', 'none', 'limited', now())`.execute(db)
  await insertMany(
    db,
    sql`insert into team_unit (team_id, unit, level) select id, 'code', 'read' from team
    on conflict do nothing`,
  )
  await insertMany(
    db,
    sql`insert into team_member (organization_id, team_id, user_id)
    select team.organization_id, team.id, account.id from team
    join account on account.login_key = 'one' || (team.id % ${sql.lit(PEOPLE)})
    where team.level = 'owner' and team.organization_id <> ${big}`,
  )
  await insertMany(
    db,
    sql`insert into team_member (organization_id, team_id, user_id)
    select ${big}, ${await teamOf('big', 'crew')}, id from account
    where kind = 'user' and login_key like 'one%' and login_key not in ('one5', 'one6')`,
  )
  await insertMany(
    db,
    sql`insert into membership (organization_id, user_id, is_public)
    select distinct organization_id, user_id, user_id % 10 = 0 from team_member on conflict do nothing`,
  )
  await sql`analyze`.execute(db)
}
