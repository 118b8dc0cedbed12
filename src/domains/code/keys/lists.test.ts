/** Query cost and index use of tokens and keys. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Expression, type KyselyPlugin, type NotNull, type RootOperationNode, sql } from 'kysely'
import type { Administered } from '#domains/code/repositories'
import { type Account, findAccount } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { bearerOf, findTokenBearer, touchDeployKey } from './deploy/deploy-bearers.ts'
import {
  addDeployKey,
  addDeployToken,
  deleteDeployKey,
  getDeployKey,
  listDeployKeys,
} from './deploy/deploy-keys.ts'
import { addGpgKeys, deleteGpgKey, getGpgKey, listGpgKeys } from './gpg/gpg-keys.ts'
import type { KeyOwner } from './open-owner.ts'
import {
  addPublicKey,
  deletePublicKey,
  getPublicKey,
  listPublicKeys,
  touchPublicKey,
} from './ssh/public-keys.ts'
import * as store from './store.ts'
import { findBearer } from './tokens/bearers.ts'
import { issueToken, listTokens, revokeToken } from './tokens/tokens.ts'

const MANY = 100_000
const PEOPLE = 2_000
const TABLES = ['access_token', 'public_key', 'gpg_key', 'deploy_key']
const PAGE = { number: 1, limit: 30, offset: 0 }
const AGENT = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKBlrk5IQyVPsWX5k0vx6CO5iwDrVJRYPz4ZSYvZbPz3 laptop'
/** The key of gpg-ann@example.test. */
const GPG = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEZ3YCJRYJKwYBBAHaRw8BAQdAtRKqJ4YhLYOpIDBY/H5UPh/3W82SqSUCD6SK
uHNQ4vC0HkdwZyBBbm4gPGdwZy1hbm5AZXhhbXBsZS50ZXN0PoiWBBMWCAA+FiEE
W4Gp4aFxmasrimQUQo3agH/Ga4YFAmd2AiUCGwMFCQlmfxsFCwkIBwIGFQoJCAsC
BBYCAwECHgECF4AACgkQQo3agH/Ga4YOCQEAiOLF82PK3+nZaI9WjBuo/ZnDUwx0
qDwNcb2BfWlHPNABAJUVJPHRmXgBbjk+/M/uccBi/Xdlj0QUDc2gnYuBH0cL
=Kz+b
-----END PGP PUBLIC KEY BLOCK-----
`

let forge: Forge
let owner: KeyOwner

before(async () => {
  forge = await startForge()
  await forge.person('gpg-ann')
  await forge.person('few')
  await forge.person('many')
})
after(() => forge[Symbol.asyncDispose]())

for (const { path, fill } of [
  { path: '/users/NAME/tokens', fill: insertTokens },
  { path: '/user/keys', fill: insertPublicKeys },
  { path: '/users/NAME/keys', fill: insertPublicKeys },
  { path: '/user/gpg_keys', fill: insertGpgKeys },
  { path: '/users/NAME/gpg_keys', fill: insertGpgKeys },
]) {
  test(`GET ${path} takes as many queries for thirty rows as for one`, async () => {
    const cost = async (login: string, rows: number) => {
      const account = await findAccount(forge.db, login)
      await clear()
      await fill(account?.id ?? 0, rows)
      const authorization = `Basic ${Buffer.from(`${login}:${forge.tokenOf(login)}`).toString('base64')}`
      const ask = () => forge.call(null, 'GET', path.replace('NAME', login), undefined, { authorization })
      const { body } = await ask()
      assert.ok(body.length >= Math.min(rows, 30))
      return forge.countQueries(ask)
    }
    const few = await cost('few', 1)
    const many = await cost('many', 30)
    assert.equal(many, few)
    assert.ok(many <= 6, `${many} queries`)
  })
}

test('GET /repos/:owner/:repo/keys takes as many queries for thirty rows as for one', async () => {
  await clear()
  await forge.call('few', 'POST', '/user/repos', { name: 'keys' })
  const { body: repo } = await forge.call('few', 'GET', '/repos/few/keys')
  const cost = async (rows: number) => {
    await insertMany(
      forge.db,
      sql`insert into deploy_key (repository_id, title, digest, is_read_only, created_at)
      select ${sql.lit(repo.id)}, 'token ' || n, sha256(('deploy ' || n)::bytea), true, now()
      from generate_series(${sql.lit(rows)}, ${sql.lit(2 * rows - 1)}) n`,
    )
    const ask = () => forge.call('few', 'GET', '/repos/few/keys/keys')
    assert.ok((await ask()).body.length >= Math.min(rows, 30))
    return forge.countQueries(ask)
  }
  const few = await cost(1)
  assert.equal(await cost(30), few)
  assert.ok(few <= 6, `${few} queries`)
})

test('with 100,000 rows in each table, every statement uses an index', async () => {
  await clear()
  await fillTables()
  owner = (await findAccount(forge.db, 'gpg-ann')) as Account as KeyOwner
  const { ctx, nodes } = watch()
  const busy = await forge.db
    .selectFrom('public_key')
    .selectAll()
    .$narrowType<{ account_id: NotNull }>()
    .limit(1)
    .offset(500)
    .executeTakeFirstOrThrow()
  const busyOwner = { ...owner, id: busy.account_id }

  await findBearer(ctx, forge.tokenOf('gpg-ann'), '127.0.0.1')
  await listTokens(ctx, busyOwner, PAGE)
  const { row } = await issueToken(ctx, owner, { name: 'new', scopes: ['all'] })
  await store.findCurrentToken(ctx.db, row.id)
  await revokeToken(ctx, owner, 'new')
  await assert.rejects(revokeToken(ctx, owner, String(row.id)))

  for (const fingerprint of [undefined, busy.fingerprint])
    await listPublicKeys(ctx, { accountId: busy.account_id, fingerprint }, PAGE)
  await store.findPublicKeyByFingerprint(ctx.db, busy.fingerprint)
  const key = await addPublicKey(ctx, owner, { title: 'new', key: AGENT })
  await touchPublicKey(ctx, key)
  await getPublicKey(ctx, {} as never, key.id)
  await deletePublicKey(ctx, owner, key.id)

  await useDeployKeys(ctx)

  await listGpgKeys(ctx, busyOwner, PAGE)
  const added = await addGpgKeys(ctx, owner, { armored_public_key: GPG })
  await getGpgKey(ctx, owner, added.key.id)
  await store.findGpgKeyByKeyId(ctx.db, owner.id, added.key.key_id)
  await transact(ctx, (ctx) => store.markVerified(ctx.db, added.key.id))
  await deleteGpgKey(ctx, owner, added.key.id)

  let held = 0
  for (const node of nodes) {
    const query = { toOperationNode: () => node } as Expression<unknown>
    for (const table of TABLES.filter((it) => names(node, it))) {
      await assertIndexed(forge.db, query, table)
      held += 1
    }
  }
  assert.ok(held >= 20, `only ${held} statements were seen`)
})

async function useDeployKeys(ctx: Context): Promise<void> {
  const some = forge.db.selectFrom('deploy_key').selectAll().where('title', '=', 'deploy 5')
  const busy = await some.executeTakeFirstOrThrow()
  const repo = { id: busy.repository_id } as Administered
  const { fingerprint } = await getDeployKey(ctx, repo, busy.id)
  for (const filter of [{}, { publicKeyId: busy.public_key_id ?? 0 }, { fingerprint: fingerprint ?? '' }])
    await listDeployKeys(ctx, repo, filter, PAGE)
  await store.findUsablePublicKey(ctx.db, fingerprint ?? '')
  const { id } = await addDeployKey(ctx, repo, { title: 'new', key: AGENT })
  const { token } = await addDeployToken(ctx, repo, { title: 'newer' })
  const key = await (await findTokenBearer(ctx, token))?.keyFor(repo.id)
  assert(key !== undefined)
  await touchDeployKey(ctx, key)
  const publicKey = { id: busy.public_key_id ?? 0, account_id: null } as Parameters<typeof bearerOf>[1]
  await bearerOf(ctx, publicKey).keyFor(repo.id)
  await deleteDeployKey(ctx, repo, id)
}

/**
 * Whether a statement uses a table. Matches the AST node, because `gpg_key` has a column with the name of another
 * table.
 */
function names(node: RootOperationNode, table: string): boolean {
  return JSON.stringify(node).includes(
    `"SchemableIdentifierNode","identifier":{"kind":"IdentifierNode","name":"${table}"}`,
  )
}

/** A context that records every statement. */
function watch(): { ctx: Context; nodes: RootOperationNode[] } {
  const nodes: RootOperationNode[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { ctx: { ...forge.ctx, db: forge.db.withPlugin(plugin) }, nodes }
}

/** Keeps the tokens that the test signs in with. */
async function clear(): Promise<void> {
  await forge.db.deleteFrom('deploy_key').execute()
  await forge.db.deleteFrom('access_token').where('name', '<>', 'test').execute()
  await forge.db.deleteFrom('public_key').execute()
  await forge.db.deleteFrom('gpg_key').execute()
}

async function fillTables(): Promise<void> {
  await insertMany(
    forge.db,
    sql`insert into account (kind, login, login_key, created_at, updated_at)
    select 'user', 'p' || n, 'p' || n, now(), now() from generate_series(1, ${sql.lit(PEOPLE)}) n`,
  )
  const someone = sql<number>`(select min(id) from account where login_key = 'p1') + n % ${sql.lit(PEOPLE)}`
  await insertTokens(someone, MANY)
  await insertPublicKeys(someone, MANY)
  await insertDeployKeys(MANY)
  await insertGpgKeys(someone, MANY / 2)
  await sql`analyze`.execute(forge.db)
}

type Owner = number | Expression<number>

async function insertTokens(account: Owner, rows: number): Promise<void> {
  await insertMany(
    forge.db,
    sql`insert into access_token (account_id, name, digest, last_eight, scopes, created_at)
    select ${account}, 'token ' || n, sha256(('token ' || n)::bytea), '12345678', array['all'], now()
    from generate_series(1, ${sql.lit(rows)}) n`,
  )
}

async function insertPublicKeys(account: Owner, rows: number): Promise<void> {
  await insertMany(
    forge.db,
    sql`insert into public_key (account_id, title, fingerprint, key, created_at)
    select ${account}, 'key ' || n, 'SHA256:' || n, 'ssh-ed25519 ' || n, now()
    from generate_series(1, ${sql.lit(rows)}) n`,
  )
}

/** A hundred repositories with many keys each. */
async function insertDeployKeys(rows: number): Promise<void> {
  await insertMany(
    forge.db,
    sql`insert into git_storage (object_format, head, created_at)
    select 'sha1', 'refs/heads/main', now() from generate_series(1, 100)`,
  )
  await insertMany(
    forge.db,
    sql`insert into repository (owner_id, storage_id, name, name_key, created_at, updated_at)
    select (select min(id) from account where kind = 'user'), id, 'r' || id, 'r' || id, now(), now() from git_storage
    where id not in (select storage_id from repository)`,
  )
  await insertMany(
    forge.db,
    sql`insert into public_key (account_id, title, fingerprint, key, created_at)
    select null, '', 'SHA256:deploy' || n, 'ssh-ed25519 deploy' || n, now()
    from generate_series(1, ${sql.lit(rows)}) n`,
  )
  await insertMany(
    forge.db,
    sql`insert into deploy_key (repository_id, title, public_key_id, is_read_only, created_at)
    select (select min(id) from repository) + id % 100, 'deploy ' || row_number() over (order by id), id, true, now()
    from public_key where account_id is null`,
  )
}

/** Each key with a subkey. */
async function insertGpgKeys(account: Owner, rows: number): Promise<void> {
  const columns = sql`account_id, primary_id, key_id, public_key, armored, can_sign, can_encrypt_comms,
    can_encrypt_storage, can_certify, added_at`
  await insertMany(
    forge.db,
    sql`insert into gpg_key (${columns})
    select ${account}, null, 'A' || n, '', '', true, true, true, true, now()
    from generate_series(1, ${sql.lit(rows)}) n`,
  )
  await sql`insert into gpg_key (${columns})
    select account_id, id, 'B' || key_id, '', '', true, true, true, true, now() from gpg_key`.execute(
    forge.db,
  )
}
