/** A Gitea on MySQL is moved in as the same Gitea on SQLite is, and what is wrong with its address is said in one line. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Connection } from 'mysql2/promise'
import { openSource, readInstallation, reportMove, runPass, type Source } from '#move-in'
import { type Forge, startForge } from '#testing'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { type Instance, insert, makeInstance, TOKEN } from './make-instance.ts'
import { MariaDb, PASSWORD, USER } from './mariadb.ts'
import { copyTables } from './mysql-tables.ts'

const NOW = 1_760_000_000
const TITLE = 'Säge «🪚» \\ "quoted" `name` %s'
const KEY = Buffer.from([0, 1, 0xff, 0x5c, 0x27])
/** Tables whose rows have nothing that is drawn by lot. */
const ALIKE = (
  'account account_email account_password attachment issue issue_comment issue_label label lfs_object membership ' +
  'notification organization passkey project project_card project_column pull_request pull_version reaction release ' +
  'repository_redirect review star team team_member team_unit'
).split(' ')

let forge: Forge
/** For the same instance on SQLite. */
let other: Forge
let folder: string
let made: Instance
let server: MariaDb
let administrator: Connection
let source: Source

before(async () => {
  const starting = Promise.all([startForge(), startForge(), MariaDb.start()])
  folder = await mkdtemp(join(tmpdir(), 'bloomery-move-in-'))
  made = await makeInstance(folder)
  addRows()
  ;[forge, other, server] = await starting
  administrator = await server.open('gitea')
  await copyTables(made.database, administrator)
  source = await openSource(await installationAt({}))
})
after(async () => {
  await source?.close()
  await administrator?.end()
  await server?.[Symbol.asyncDispose]()
  made?.database.close()
  await forge?.[Symbol.asyncDispose]()
  await other?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** What the types and the words of MySQL may get wrong. */
function addRows(): void {
  const times = { created_unix: NOW, updated_unix: NOW }
  made.database
    .prepare('update issue set name = ?, content = ? where id = 501')
    .run(TITLE, '🌋'.repeat(20_000))
  insert(made.database, 'webauthn_credential', {
    ...{ id: 1, name: 'key', user_id: 2, credential_id: KEY, public_key: KEY, sign_count: 5_000_000_000 },
    ...times,
  })
  const release = { id: 1, repo_id: 40, publisher_id: 1, tag_name: 'v1', lower_tag_name: 'v1', title: TITLE }
  insert(made.database, 'release', {
    ...release,
    is_tag: 0,
    is_draft: 0,
    is_prerelease: 1,
    created_unix: NOW,
  })
  insert(made.database, 'project', { id: 1, title: 'Board', repo_id: 40, creator_id: 1, type: 2, ...times })
  const columns = [0, 1].map((it) => ({ id: it + 1, title: `Column ${it}`, default: it, sorting: it }))
  for (const it of columns) insert(made.database, 'project_board', { ...it, project_id: 1, ...times })
  insert(made.database, 'project_issue', {
    id: 1,
    issue_id: 501,
    project_id: 1,
    project_board_id: 0,
    sorting: 0,
  })
}

interface Settings {
  readonly host?: string
  readonly name?: string
  readonly password?: string
  readonly sslMode?: string
}

async function installationAt({ host, name = 'gitea', password = PASSWORD, sslMode = 'disable' }: Settings) {
  const lines = [
    'DB_TYPE = mysql',
    `HOST = ${host ?? `127.0.0.1:${server.port}`}`,
    `NAME = ${name}`,
    `USER = ${USER}`,
    `PASSWD = \`${password}\``,
    `SSL_MODE = ${sslMode}`,
    'CHARSET_COLLATION = utf8mb4_bin',
  ]
  const text = await readFile(made.appIni, 'utf8')
  const file = join(folder, 'mysql.ini')
  await writeFile(file, text.replace(/DB_TYPE = sqlite3\nPATH = .*\n/, `${lines.join('\n')}\n`))
  return readInstallation(await readFile(file, 'utf8'), file)
}

async function pass(into: Forge, instance: Parameters<typeof runPass>[1]) {
  return reportMove(await runPass(into.ctx, instance, () => {}))
}

/** Accounts of the forge itself have ids below 1. */
async function rowsOf({ db }: Forge): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of ALIKE) {
    const { rows } = await sql<{ row: string }>`
      select to_json(it)::text as row from ${sql.table(table)} as it where to_json(it)::text not like '{"id":-%'
      order by 1`.execute(db)
    all[table] = rows.map(({ row }) => row)
  }
  return all
}

test('the rows and the report are those of the same instance on SQLite', async () => {
  const installation = readInstallation(await readFile(made.appIni, 'utf8'), made.appIni)
  const sqlite = await openSource(installation)
  const passes = [
    pass(forge, { installation: await installationAt({}), source }),
    pass(other, { installation, source: sqlite }),
  ]
  // The forges are in use until both have ended.
  await Promise.allSettled(passes)
  const [ofMysql, ofSqlite] = await Promise.all(passes)
  await sqlite.close()
  assert.deepEqual(ofMysql, ofSqlite)
  assert.deepEqual(ofMysql?.differences, [])
  assert.deepEqual(await rowsOf(forge), await rowsOf(other))
})

test('texts keep every character, bytes stay bytes, and a card without a column is in the default one', async () => {
  const answer = await fetch(`${forge.base}/api/v1/repos/ann/tools/issues/1`, {
    headers: { authorization: `token ${TOKEN}` },
  })
  const issue = (await answer.json()) as { title: string; body: string }
  assert.deepEqual([issue.title, issue.body], [TITLE, '🌋'.repeat(20_000)])
  const { rows } = await sql`select public_key, counter from passkey`.execute(forge.db)
  assert.deepEqual(rows, [{ public_key: KEY, counter: 5_000_000_000 }])
  const cards = await sql`select column_id from project_card`.execute(forge.db)
  assert.deepEqual(cards.rows, [{ column_id: 2 }])
})

test('each statement reads what is there now', async () => {
  const count = async () => (await source.rows('select count(*) as n from star'))[0]?.n
  assert.equal(await count(), 1)
  await administrator.query('delete from star')
  assert.equal(await count(), 0)
})

test('nothing can be written', async () => {
  await assert.rejects(source.rows('delete from comment'), /READ ONLY/)
})

test('a unix socket is an address, and encryption can be preferred', async () => {
  const local = await openSource(await installationAt({ host: server.socket, sslMode: 'prefer' }))
  assert.equal(local.version, 331)
  await local.close()
})

for (const [setting, settings] of [
  ['USER or PASSWD', { password: 'another' }],
  ['USER or PASSWD', { name: 'of_others' }],
  ['SSL_MODE', { sslMode: 'true' }],
  ['SSL_MODE', { sslMode: 'skip-verify' }],
  ['HOST', { host: '/nowhere/mysqld.sock' }],
] as const)
  test(`${JSON.stringify(settings)} is told as a mistake of ${setting}`, async () => {
    await assert.rejects(openSource(await installationAt(settings)), {
      name: 'OperatorError',
      message: new RegExp(`^the MySQL database of app\\.ini cannot be opened: \\[database\\] ${setting} \\(`),
    })
  })

test('a server that is away is told as a mistake of HOST', async () => {
  const host = `127.0.0.1:${await findFreePorts()}`
  await assert.rejects(openSource(await installationAt({ host })), /\[database\] HOST \(ECONNREFUSED\)/)
})

test('a connection that breaks on the way is told, and the command can be repeated', async () => {
  await server.stop()
  await assert.rejects(source.rows('select 1 as one'), /connection to the MySQL database of app\.ini broke/)
})
