/** Makes a Gitea: a SQLite file with its tables, bare repositories, folders of files, and the `app.ini` that names them. */

import { execFile } from 'node:child_process'
import { createCipheriv, createHash, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { hashRawSync } from '@node-rs/argon2'
import { TABLES } from './tables.ts'

const run = promisify(execFile)
const NOW = 1_760_000_000
export const SECRET_KEY = 'a key of the other forge'
export const TOKEN = '0123456789abcdef0123456789abcdef01234567'
export const RUNNER = { uuid: '11111111-2222-4333-8444-555555555555', token: 'a1'.repeat(20) }
export const OLD_UUID = '9d0f4d4c-8b0a-4f0b-9a4e-2f1f5a6b7c8d'
export const PICTURE = 'ab'.repeat(32)
/** A picture of one pixel. */
const GIF = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

export interface Instance {
  readonly folder: string
  readonly appIni: string
  readonly database: DatabaseSync
  readonly lfs: string
}

/** ann owns `tools`, with two issues, a pull request and a wiki. */
export async function makeInstance(folder: string): Promise<Instance> {
  const data = join(folder, 'data')
  for (const name of ['repositories/ann', 'attachments/9/d', 'avatars', 'lfs', 'packages'])
    await mkdir(join(data, name), { recursive: true })
  const appIni = join(folder, 'app.ini')
  await writeFile(
    appIni,
    `WORK_PATH = ${folder}\n[server]\nAPP_DATA_PATH = ${data}\n[database]\nDB_TYPE = sqlite3\n` +
      `PATH = ${join(data, 'gitea.db')}\n[security]\nSECRET_KEY = ${SECRET_KEY} ; of all secrets\n` +
      `[repository]\nROOT = ${join(data, 'repositories')}\n`,
  )
  const database = new DatabaseSync(join(data, 'gitea.db'))
  database.exec('pragma journal_mode = wal')
  for (const [table, columns] of Object.entries(TABLES))
    database.exec(
      `create table "${table}" (${columns
        .split(' ')
        .map((it) => (it === 'id' ? 'id integer primary key' : `"${it}"`))
        .join(', ')})`,
    )
  insert(database, 'version', { id: 1, version: 331 })
  const heads = await makeGit(join(data, 'repositories/ann'))
  addPeople(database)
  addRepository(database, heads)
  addConversation(database)
  const lfs = await addFiles(database, data)
  return { folder, appIni, database, lfs }
}

export function insert(
  database: DatabaseSync,
  table: string,
  row: Record<string, string | number | Uint8Array | null>,
): void {
  const names = Object.keys(row)
  database
    .prepare(
      `insert into "${table}" (${names.map((it) => `"${it}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
    )
    .run(...Object.values(row))
}

function addPeople(database: DatabaseSync): void {
  const salt = '00112233445566778899aabbccddeeff'
  const bytes = Buffer.from(salt, 'hex')
  const hex = (it: Buffer) => it.toString('hex')
  const hashes = {
    ann: ['pbkdf2$50000$50', hex(pbkdf2Sync('ann password', bytes, 50_000, 50, 'sha256'))],
    bob: [
      'argon2$2$65536$8$50',
      hex(
        hashRawSync('bob password', {
          salt: bytes,
          timeCost: 2,
          memoryCost: 65_536,
          parallelism: 8,
          outputLen: 50,
          algorithm: 2,
        }),
      ),
    ],
    cid: [
      'scrypt$65536$16$2$50',
      hex(scryptSync('cid password', bytes, 50, { N: 65_536, r: 16, p: 2, maxmem: 2 ** 28 })),
    ],
    // By another implementation, of «an old password».
    dan: ['bcrypt$10', '$2b$04$8zlLOvdpy3WJjLd1vP0hZuV55Bpi15q9L1AW0vbEh1T13bG1y/YbW'],
  }
  for (const [i, [login, [algorithm = '', digest = '']]] of Object.entries(hashes).entries()) {
    const id = i + 1
    insert(database, 'user', {
      id,
      lower_name: login,
      name: login,
      full_name: `${login} of old`,
      email: `${login}@old.test`,
      type: 0,
      is_active: 1,
      passwd: digest,
      passwd_hash_algo: algorithm,
      salt,
      max_repo_creation: -1,
      allow_create_organization: 1,
      avatar: login === 'ann' ? PICTURE : '',
      visibility: 0,
      is_admin: id === 1 ? 1 : 0,
      created_unix: NOW,
      updated_unix: NOW,
    })
    insert(database, 'email_address', {
      id,
      uid: id,
      email: `${login}@old.test`,
      lower_email: `${login}@old.test`,
      is_activated: 1,
      is_primary: 1,
    })
  }
  insert(database, 'user', {
    id: 9,
    lower_name: 'works',
    name: 'Works',
    type: 1,
    visibility: 0,
    is_active: 1,
    max_repo_creation: -1,
    created_unix: NOW,
  })
  insert(database, 'team', {
    id: 4,
    org_id: 9,
    lower_name: 'owners',
    name: 'Owners',
    authorize: 4,
    visibility: 1,
    includes_all_repositories: 1,
  })
  insert(database, 'team_user', { id: 1, org_id: 9, team_id: 4, uid: 2 })
  insert(database, 'team_unit', { id: 1, org_id: 9, team_id: 4, type: 1, access_mode: 4 })
  insert(database, 'org_user', { id: 1, uid: 2, org_id: 9, is_public: 1 })
  insert(database, 'user_redirect', { id: 1, lower_name: 'anna', redirect_user_id: 1 })
  insert(database, 'access_token', {
    id: 77,
    uid: 1,
    name: 'old',
    token_hash: hex(pbkdf2Sync(TOKEN, 'salt', 10_000, 50, 'sha256')),
    token_salt: 'salt',
    token_last_eight: TOKEN.slice(-8),
    scope: 'all',
    created_unix: NOW,
    updated_unix: NOW,
  })
  insert(database, 'two_factor', {
    id: 1,
    uid: 2,
    secret: encrypt('aes-128-cfb', 'md5', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP').toString('base64'),
    created_unix: NOW,
  })
  insert(database, 'action_runner', {
    id: 5,
    uuid: RUNNER.uuid,
    name: 'old runner',
    owner_id: 0,
    repo_id: 0,
    agent_labels: '["old"]',
    token_hash: hex(pbkdf2Sync(RUNNER.token, 'pepper', 10_000, 50, 'sha256')),
    token_salt: 'pepper',
    created: NOW,
    updated: NOW,
  })
}

/** As the other forge encrypts: the plain text is base64, the first block the initialization vector. */
export function encrypt(method: string, digest: string, plain: string): Buffer {
  const iv = randomBytes(16)
  const cipher = createCipheriv(method, createHash(digest).update(SECRET_KEY).digest(), iv)
  return Buffer.concat([iv, cipher.update(Buffer.from(plain).toString('base64')), cipher.final()])
}

interface Heads {
  readonly main: string
  readonly topic: string
}

async function makeGit(folder: string): Promise<Heads> {
  const bare = join(folder, 'tools.git')
  const stream = (ref: string, message: string, from: string, file: string) =>
    `commit ${ref}\nmark :${file === 'saw.txt' ? 2 : 1}\ncommitter Ann <ann@old.test> ${NOW} +0000\ndata ${message.length}\n${message}\n${from}M 100644 inline ${file}\ndata 4\nold\n\n`
  const fill = async (path: string, text: string) => {
    await run('git', ['init', '-q', '--bare', '-b', 'main', path])
    const importing = run('git', ['-C', path, 'fast-import', '--quiet'])
    importing.child.stdin?.end(text)
    await importing
  }
  await fill(
    bare,
    stream('refs/heads/main', 'Begin', '', 'README.md') +
      stream('refs/heads/topic', 'Add a saw', 'from :1\n', 'saw.txt') +
      'reset refs/pull/3/head\nfrom :2\n\n' +
      'reset refs/notes/commits\nfrom :1\n\n' +
      'tag v1\nfrom :1\ntagger Ann <ann@old.test> 1760000000 +0000\ndata 5\nFirst\n',
  )
  await fill(join(folder, 'tools.wiki.git'), stream('refs/heads/main', 'Home', '', 'Home.md'))
  const oid = async (name: string) => (await run('git', ['-C', bare, 'rev-parse', name])).stdout.trim()
  return { main: await oid('main'), topic: await oid('topic') }
}

function addRepository(database: DatabaseSync, heads: Heads): void {
  insert(database, 'repository', {
    id: 40,
    owner_id: 1,
    lower_name: 'tools',
    name: 'tools',
    description: 'Old tools',
    default_branch: 'main',
    is_private: 0,
    status: 0,
    trust_model: 0,
    object_format_name: 'sha1',
    topics: '["iron"]',
    created_unix: NOW,
    updated_unix: NOW,
  })
  for (const [i, type] of [1, 2, 3, 4, 5, 10].entries())
    insert(database, 'repo_unit', {
      id: i + 1,
      repo_id: 40,
      type,
      config: type === 3 ? '{"AllowSquash":false}' : '',
      created_unix: NOW,
      // Everybody who is signed in writes the wiki, and everybody reads the issues.
      everyone_access_mode: type === 5 ? 2 : 0,
      anonymous_access_mode: type === 2 ? 1 : 0,
    })
  insert(database, 'repo_redirect', { id: 1, owner_id: 1, lower_name: 'hammers', redirect_repo_id: 40 })
  insert(database, 'star', { id: 1, uid: 2, repo_id: 40, created_unix: NOW })
  insert(database, 'label', {
    id: 12,
    repo_id: 40,
    org_id: 0,
    name: 'bug',
    color: '#aa0000',
    created_unix: NOW,
  })
  insert(database, 'secret', {
    id: 3,
    repo_id: 40,
    owner_id: 0,
    name: 'KEY',
    data: encrypt('aes-256-cfb', 'sha256', 'old secret').toString('hex'),
    created_unix: NOW,
  })
  insert(database, 'pull_request', {
    id: 6,
    type: 0,
    status: 2,
    issue_id: 503,
    index: 3,
    head_repo_id: 40,
    base_repo_id: 40,
    head_branch: 'topic',
    base_branch: 'main',
    merge_base: heads.main,
    has_merged: 0,
    allow_maintainer_edit: 0,
    flow: 0,
  })
  insert(database, 'review', {
    id: 21,
    type: 1,
    reviewer_id: 2,
    reviewer_team_id: 0,
    issue_id: 503,
    content: 'Sharp.',
    official: 0,
    commit_id: heads.topic,
    created_unix: NOW,
    updated_unix: NOW,
  })
}

function addConversation(database: DatabaseSync): void {
  for (const [id, number, isPull] of [
    [501, 1, 0],
    [502, 2, 0],
    [503, 3, 1],
  ] as const)
    insert(database, 'issue', {
      id,
      repo_id: 40,
      index: number,
      poster_id: number === 2 ? 8 : 1,
      name: `Old ${number}`,
      content: 'See #1.',
      is_closed: 0,
      is_pull: isPull,
      ref: '',
      created_unix: NOW,
      updated_unix: NOW,
    })
  insert(database, 'issue_label', { id: 1, issue_id: 501, label_id: 12 })
  insert(database, 'comment', {
    id: 900,
    type: 0,
    poster_id: 2,
    issue_id: 501,
    content: 'Of bob.',
    created_unix: NOW,
    updated_unix: NOW,
  })
  insert(database, 'comment', {
    id: 901,
    type: 7,
    poster_id: 1,
    issue_id: 501,
    label_id: 12,
    content: '1',
    created_unix: NOW,
    updated_unix: NOW,
  })
  insert(database, 'comment', {
    id: 902,
    type: 22,
    poster_id: 2,
    issue_id: 503,
    review_id: 21,
    content: 'Sharp.',
    created_unix: NOW,
    updated_unix: NOW,
  })
  insert(database, 'reaction', {
    id: 1,
    type: 'heart',
    issue_id: 501,
    comment_id: 900,
    user_id: 1,
    original_author_id: 0,
    original_author: '',
    created_unix: NOW,
  })
}

async function addFiles(database: DatabaseSync, data: string): Promise<string> {
  await writeFile(join(data, 'attachments/9/d', OLD_UUID), 'old words')
  insert(database, 'attachment', {
    id: 2,
    uuid: OLD_UUID,
    repo_id: 40,
    issue_id: 501,
    release_id: 0,
    comment_id: 0,
    uploader_id: 1,
    name: 'words.txt',
    size: 9,
    created_unix: NOW,
  })
  await writeFile(join(data, 'avatars', PICTURE), GIF)
  const lfs = createHash('sha256').update('old bytes').digest('hex')
  await mkdir(join(data, 'lfs', lfs.slice(0, 2), lfs.slice(2, 4)), { recursive: true })
  await writeFile(join(data, 'lfs', lfs.slice(0, 2), lfs.slice(2, 4), lfs.slice(4)), 'old bytes')
  insert(database, 'lfs_meta_object', { id: 1, oid: lfs, size: 9, repository_id: 40, created_unix: NOW })
  return lfs
}
