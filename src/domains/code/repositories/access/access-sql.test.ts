/** Repository visibility: SQL and `decideAccess` agree on random users, organizations, teams and grants. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import {
  type Access,
  decideAccess,
  LEVELS,
  type Level,
  may,
  type Unit,
  type Visibility,
} from '#domains/people/access'
import { actorOf, findAccountById, type ViewerValues, viewerIn, viewerValues } from '#domains/people/users'
import type { Actor, Context } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import { type Forge, startForge } from '#testing'
import { complete, type Repository, selectRepositories } from '../record/load.ts'
import { findRepositories } from '../search/search.ts'
import { loadReadable } from '../search/search-visibility.ts'
import { isGrantedTo, isReadableTo, isReaderOf, isVisibleTo, type KnownPlace } from './access-sql.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
})
after(() => forge[Symbol.asyncDispose]())

const PEOPLE = 4
const ORGS = 3
const TEAMS = 3
const REPOSITORIES = 10

const index = (count: number) => fc.nat({ max: count - 1 })
const many = <T>(one: fc.Arbitrary<T>, count: number) => fc.array(one, { minLength: count, maxLength: count })
const visibility = fc.constantFrom<Visibility>('public', 'limited', 'private')
/** Few units, so that teams and repositories often share one, and sometimes none. */
const UNITS: readonly Unit[] = ['code', 'wiki', 'pulls']
const unit = fc.constantFrom(...UNITS)
const drawn = fc.record({
  people: many(fc.record({ visibility, is_admin: likely(8), is_restricted: likely(3) }), PEOPLE),
  orgs: many(visibility, ORGS),
  teams: many(
    fc.record({
      org: index(ORGS),
      level: fc.oneof(fc.constant<Level>('none'), fc.constantFrom(...LEVELS)),
      units: fc.dictionary(unit, fc.constantFrom(...LEVELS), { maxKeys: 2 }),
      mayCreate: fc.boolean(),
      members: fc.uniqueArray(index(PEOPLE), { maxLength: 2 }),
      /** Indexes of repositories; only those of its organization count. */
      has: fc.uniqueArray(index(REPOSITORIES)),
    }),
    TEAMS,
  ),
  repositories: many(
    fc.record({
      /** Index of a user, or of an organization after them. */
      owner: index(PEOPLE + ORGS),
      isPrivate: fc.boolean(),
      isArchived: fc.boolean(),
      isQuarantined: likely(4),
      units: fc.uniqueArray(unit),
      collaborators: fc.dictionary(
        index(PEOPLE).map(String),
        fc.constantFrom('read', 'write', 'admin') as fc.Arbitrary<'read' | 'write' | 'admin'>,
        { maxKeys: 1 },
      ),
      offeredTo: fc.option(index(PEOPLE + ORGS), { freq: 2 }),
    }),
    REPOSITORIES,
  ),
})
type World = typeof drawn extends fc.Arbitrary<infer T> ? T : never

/** True with probability 1 / `once`. */
function likely(once: number): fc.Arbitrary<boolean> {
  return fc.nat({ max: once - 1 }).map((n) => n === 0)
}

/** The ids of the stored rows, in the order in which they were drawn. */
interface Ids {
  readonly owners: readonly number[]
  readonly repositories: readonly number[]
}

test('list, search and single lookup show a caller the same repositories as decideAccess', async () => {
  let seen = 0
  let unseen = 0
  await fc.assert(
    fc.asyncProperty(drawn, (world) =>
      discarding(async (ctx) => {
        const ids = await store(ctx.db, world)
        for (const caller of await callersOf(ctx, ids)) {
          const expected = ids.repositories.filter((_, i) => decided(world, ids, caller, i))
          seen += expected.length
          unseen += ids.repositories.length - expected.length
          const who = JSON.stringify(caller)
          assert.deepEqual(await listedFor({ ...ctx, actor: caller }), expected, `in a list, for ${who}`)
          assert.deepEqual(await foundBy({ ...ctx, actor: caller }), expected, `in a search, for ${who}`)
          assert.deepEqual(await openTo({ ...ctx, actor: caller }), expected, `one by one, for ${who}`)
        }
      }),
    ),
    { numRuns: 60 },
  )
  assert.ok(seen > 1_000 && unseen > 1_000, `${seen} were seen, ${unseen} were not`)
})

test('isGrantedTo gives the same result as a condition on repository and on account', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, (world) =>
      discarding(async (ctx) => {
        const ids = await store(ctx.db, world)
        const repositories = await ctx.db.selectFrom('repository').selectAll().orderBy('id').execute()
        for (const userId of ids.owners.slice(0, PEOPLE)) {
          const mine = await ctx.db.selectFrom('repository').select('id').where(isGrantedTo(userId)).execute()
          const given = new Set(mine.map(({ id }) => id))
          for (const repo of repositories) {
            const found = await ctx.db
              .selectFrom('account')
              .select('id')
              .where('id', '=', userId)
              .where(isGrantedTo(sql<number>`account.id`, repo))
              .execute()
            assert.equal(found.length === 1, given.has(repo.id))
          }
        }
      }),
    ),
    { numRuns: 10 },
  )
})

test('isReaderOf and loadReadable agree with decideAccess on every unit', async () => {
  let read = 0
  await fc.assert(
    fc.asyncProperty(drawn, ({ repositories, ...rest }) =>
      discarding(async (ctx) => {
        // A transfer offer lets its recipient read the repository, but `isReaderOf` leaves offers out.
        const world = { ...rest, repositories: repositories.map((repo) => ({ ...repo, offeredTo: null })) }
        const ids = await store(ctx.db, world)
        const rows = await ctx.db.selectFrom('repository').selectAll().orderBy('id').execute()
        const units = rows.flatMap((row, i) => UNITS.map((unit) => ({ row, i, unit })))
        for (const { row, i, unit } of units) {
          const readers = await readersOf(ctx, row, unit)
          for (const caller of await callersOf(ctx, ids)) {
            const expected = may(decide(world, ids, caller, i), 'read', unit)
            read += Number(expected)
            const who = `${unit} of ${JSON.stringify(row)} for ${JSON.stringify(caller)}`
            if (caller?.publicOnly === false) assert.equal(readers.has(caller.id), expected, who)
            assert.equal(await isReadable({ ...ctx, actor: caller }, row, unit), expected, who)
          }
        }
      }),
    ),
    { numRuns: 5 },
  )
  assert.ok(read > 100, `${read} were read`)
})

async function readersOf(ctx: Context, row: KnownPlace, unit: Unit): Promise<Set<number>> {
  const readers = ctx.db.selectFrom('account').select('id').where('kind', '=', 'user')
  return new Set((await readers.where(isReaderOf(row, unit)).execute()).map(({ id }) => id))
}

async function isReadable(ctx: Context, row: KnownPlace, unit: Unit): Promise<boolean> {
  const { audiences, granted } = await loadReadable(ctx, [unit])
  const isOn = row.units.includes(unit)
  return isOn && (audiences.includes(row.audience) || granted[unit]?.includes(row.id) === true)
}

test('isReadableTo lists the repositories whose unit the caller may read, as decideAccess does', async () => {
  let read = 0
  await fc.assert(
    fc.asyncProperty(drawn, (world) =>
      discarding(async (ctx) => {
        for (const actor of await callersOf(ctx, await store(ctx.db, world))) {
          const caller = { ...ctx, actor }
          const opened = await openAll(caller)
          for (const unit of ['code', 'pulls', 'issues'] as const) {
            const expected = opened.filter(({ access }) => may(access, 'read', unit))
            const found = await ctx.db
              .selectFrom('repository')
              .select('id')
              .where(isReadableTo(caller, unit))
              .orderBy('id')
              .execute()
            read += found.length
            assert.deepEqual(
              found.map(({ id }) => id),
              expected.map(({ id }) => id),
              `${unit} for ${JSON.stringify(actor)}`,
            )
          }
        }
      }),
    ),
    { numRuns: 100 },
  )
  assert.ok(read > 500, `${read} were read`)
})

async function listedFor(ctx: Context): Promise<number[]> {
  const rows = await LISTED.rows(ctx.db, viewerValues(ctx))
  return rows.map(({ id }) => id)
}

/** Built once for all callers of a kind, so that none is answered as another. */
const LISTED = new Statement((db: Db, viewer: ViewerValues) =>
  db
    .selectFrom('repository')
    .select('id')
    .where(isVisibleTo(viewerIn(viewer)))
    .orderBy('id'),
)

async function foundBy(ctx: Context): Promise<number[]> {
  const search = {
    keywords: [],
    within: 'names',
    publicOnly: false,
    sort: 'id',
    direction: 'asc',
  } as const
  const { ids, total } = await findRepositories(ctx, search, { number: 1, limit: 1_000, offset: 0 })
  assert.equal(total, ids.length)
  return ids
}

async function openTo(ctx: Context): Promise<number[]> {
  return (await openAll(ctx)).filter(({ access }) => may(access, 'see')).map(({ id }) => id)
}

async function openAll(ctx: Context): Promise<Repository[]> {
  return complete(ctx, await selectRepositories(ctx).orderBy('repository.id').execute())
}

/** `decideAccess` on facts from the drawn world, not from the database. */
function decided(world: World, ids: Ids, actor: Actor | null, repository: number): boolean {
  return decide(world, ids, actor, repository).visible
}

function decide(world: World, { owners }: Ids, actor: Actor | null, repository: number): Access {
  const repo = world.repositories[repository]
  assert.ok(repo !== undefined)
  const isOrgs = repo.owner >= PEOPLE
  const me = actor === null ? -1 : owners.indexOf(actor.id)
  const org = repo.owner - PEOPLE
  const mine = world.teams.filter(({ members }) => members.includes(me))
  const accepts = (owner: number) =>
    owner === me || mine.some((team) => team.org === owner - PEOPLE && team.mayCreate)
  const isOffered = repo.offeredTo !== null && accepts(repo.offeredTo)
  return decideAccess({
    actor,
    owner: {
      id: owners[repo.owner] ?? 0,
      kind: isOrgs ? 'organization' : 'user',
      visibility: (isOrgs ? world.orgs[org] : world.people[repo.owner]?.visibility) ?? 'public',
    },
    repository: {
      isPrivate: repo.isPrivate,
      isArchived: repo.isArchived,
      isQuarantined: repo.isQuarantined,
      enabledUnits: new Set(repo.units),
    },
    collaboration: repo.collaborators[me] ?? (isOffered ? 'read' : null),
    teams: mine.filter((team) => team.org === org && team.has.includes(repository)),
    isOrganizationMember: mine.some((team) => team.org === org),
  })
}

/** Every user, with a full credential and with a public-only one; and the anonymous caller. */
async function callersOf({ db }: { db: Tx }, { owners }: Ids): Promise<(Actor | null)[]> {
  const callers: (Actor | null)[] = [null]
  for (const id of owners.slice(0, PEOPLE)) {
    const account = await findAccountById(db, id)
    assert.ok(account !== undefined)
    for (const publicOnly of [false, true])
      callers.push(actorOf(account, { publicOnly, via: 'token', tokenId: null }))
  }
  return callers
}

async function discarding(work: (ctx: Context & { db: Tx }) => Promise<void>): Promise<void> {
  const tx = await forge.db.startTransaction().execute()
  try {
    await work({ ...forge.ctx, db: tx })
  } finally {
    await tx.rollback().execute()
  }
}

async function store(tx: Tx, world: World): Promise<Ids> {
  const at = { created_at: forge.ctx.now(), updated_at: forge.ctx.now() }
  const people = world.people.map((person, i) => ({ ...person, kind: 'user' as const, login: `p${i}` }))
  const orgs = world.orgs.map((visibility, i) => ({
    visibility,
    is_admin: false,
    is_restricted: false,
    kind: 'organization' as const,
    login: `o${i}`,
  }))
  const accounts = await tx
    .insertInto('account')
    .values([...people, ...orgs].map((row) => ({ ...row, ...at, login_key: row.login, last_login_at: null })))
    .returning('id')
    .execute()
  const owners = accounts.map(({ id }) => id)
  await tx
    .insertInto('account_count')
    .values(owners.map((account_id) => ({ account_id })))
    .execute()
  const storages = await tx
    .insertInto('git_storage')
    .values(
      world.repositories.map(() => ({
        object_format: 'sha1',
        head: 'refs/heads/main',
        created_at: forge.ctx.now(),
      })),
    )
    .returning('id')
    .execute()
  const rows = world.repositories.map((repo, i) => ({
    owner_id: idAt(owners, repo.owner),
    storage_id: idAt(storages, i).id,
    name: `r${i}`,
    name_key: `r${i}`,
    is_private: repo.isPrivate,
    archived_at: repo.isArchived ? forge.ctx.now() : null,
    quarantine_reason: repo.isQuarantined ? 'spam' : null,
    units: repo.units,
    ...at,
  }))
  const inserted = await tx.insertInto('repository').values(rows).returning('id').execute()
  const ids = { owners, repositories: inserted.map(({ id }) => id) }
  await tx
    .insertInto('repository_count')
    .values(ids.repositories.map((repository_id) => ({ repository_id })))
    .execute()
  await storeGrants(tx, world, ids)
  for (const team of world.teams) await storeTeam(tx, world, ids, team)
  return ids
}

async function storeGrants(tx: Tx, world: World, { owners, repositories }: Ids): Promise<void> {
  const created_at = forge.ctx.now()
  for (const [i, { collaborators, offeredTo, owner }] of world.repositories.entries()) {
    const repository_id = idAt(repositories, i)
    for (const [person, level] of Object.entries(collaborators))
      await tx
        .insertInto('collaboration')
        .values({ repository_id, user_id: idAt(owners, Number(person)), level, created_at })
        .execute()
    if (offeredTo === null) continue
    const recipient_id = idAt(owners, offeredTo)
    await tx
      .insertInto('repository_transfer')
      .values({ repository_id, actor_id: idAt(owners, owner), recipient_id, created_at })
      .execute()
  }
}

async function storeTeam(tx: Tx, world: World, ids: Ids, team: World['teams'][number]): Promise<void> {
  const organization_id = idAt(ids.owners, PEOPLE + team.org)
  const name = `t${world.teams.indexOf(team)}`
  const { id: team_id } = await tx
    .insertInto('team')
    .values({
      organization_id,
      name,
      name_key: name,
      level: team.level,
      visibility: 'private',
      can_create_repository: team.mayCreate,
      created_at: forge.ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [unit, level] of Object.entries(team.units))
    await tx
      .insertInto('team_unit')
      .values({ team_id, unit: unit as Unit, level })
      .execute()
  for (const member of team.members) {
    const user_id = idAt(ids.owners, member)
    await tx.insertInto('team_member').values({ organization_id, team_id, user_id }).execute()
    await tx
      .insertInto('membership')
      .values({ organization_id, user_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  for (const i of team.has) {
    if (world.repositories[i]?.owner !== PEOPLE + team.org) continue
    const repository_id = idAt(ids.repositories, i)
    await tx.insertInto('team_repository').values({ team_id, repository_id, organization_id }).execute()
  }
}

function idAt<T>(ids: readonly T[], i: number): T {
  const id = ids[i]
  assert.ok(id !== undefined)
  return id
}
