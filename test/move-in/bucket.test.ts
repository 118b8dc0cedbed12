/** A Gitea whose files are in an S3-compatible store is moved in with all of them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openSource, readInstallation, reportMove, runPass } from '#move-in'
import { openObjectStore } from '#platform/object-store'
import { type Forge, startForge } from '#testing'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { type S3Server, startS3Server } from '../../src/cli/s3-server.ts'
import { type Instance, insert, makeInstance, OLD_UUID, PICTURE, TOKEN } from './make-instance.ts'

const NOW = 1_760_000_000
const TARBALL = Buffer.from('an old package')
const SHA256 = createHash('sha256').update(TARBALL).digest('hex')
const EMPTY_UUID = '00000000-8b0a-4f0b-9a4e-2f1f5a6b7c8d'
const LOST_UUID = '11111111-8b0a-4f0b-9a4e-2f1f5a6b7c8d'
/** In the place of their folder: what comes before the paths of its files. */
const PREFIXES: Readonly<Record<string, string>> = {
  attachments: 'old/gitea/attachments',
  avatars: 'old/gitea/avatars',
  lfs: 'large',
  packages: 'old/gitea/packages',
}

let forge: Forge
let folder: string
let made: Instance
let server: S3Server

before(async () => {
  forge = await startForge()
  folder = await mkdtemp(join(tmpdir(), 'bloomery-move-in-'))
  made = await makeInstance(folder)
  server = await startS3Server({ folder: join(folder, 'store') })
  await addPackage()
  await addAttachments()
  await moveIntoBucket()
})
after(async () => {
  made?.database.close()
  await server?.stop()
  await forge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function addPackage(): Promise<void> {
  const { database } = made
  insert(database, 'package', {
    id: 1,
    owner_id: 1,
    repo_id: 40,
    type: 'generic',
    name: 'p',
    lower_name: 'p',
  })
  insert(database, 'package_version', {
    ...{ id: 1, package_id: 1, creator_id: 1, version: '1', lower_version: '1', is_internal: 0 },
    ...{ metadata_json: 'null', created_unix: NOW },
  })
  const digests = Object.fromEntries(
    ['md5', 'sha1', 'sha512'].map((it) => [`hash_${it}`, createHash(it).update(TARBALL).digest('hex')]),
  )
  const size = TARBALL.length
  insert(database, 'package_blob', { id: 1, size, ...digests, hash_sha256: SHA256, created_unix: NOW })
  insert(database, 'package_file', {
    ...{
      id: 1,
      version_id: 1,
      blob_id: 1,
      name: 'p.tgz',
      lower_name: 'p.tgz',
      is_lead: 1,
      created_unix: NOW,
    },
  })
  await writeFile(join(folder, 'data/packages', SHA256), TARBALL)
}

async function addAttachments(): Promise<void> {
  const row = { repo_id: 40, issue_id: 501, release_id: 0, comment_id: 0, uploader_id: 1, created_unix: NOW }
  insert(made.database, 'attachment', { ...row, id: 3, uuid: EMPTY_UUID, name: 'empty.txt', size: 0 })
  insert(made.database, 'attachment', { ...row, id: 4, uuid: LOST_UUID, name: 'lost.txt', size: 1 })
  await writeFile(join(folder, 'data/attachments', EMPTY_UUID), '')
}

/** Files under the keys that Gitea gives them; the folders are gone. */
async function moveIntoBucket(): Promise<void> {
  await using undo = new AsyncDisposableStack()
  const store = await openObjectStore(server.store)
  undo.defer(() => store.close())
  for (const [name, prefix] of Object.entries(PREFIXES)) {
    const from = join(folder, 'data', name)
    for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = await readFile(join(entry.parentPath, entry.name))
      const path = relative(from, join(entry.parentPath, entry.name))
      await store.create(`${prefix}/${placeOf(path)}`, bytes, { bytes: bytes.length })
    }
    await rm(from, { recursive: true })
  }
}

/** Of files that this test made without folders. */
function placeOf(path: string): string {
  if (path === SHA256) return `${path.slice(0, 2)}/${path.slice(2, 4)}/${path}`
  return path === EMPTY_UUID ? `${path[0]}/${path[1]}/${path}` : path
}

async function installationAt(settings: Readonly<Record<string, string>> = {}) {
  const all = {
    STORAGE_TYPE: 'minio',
    MINIO_ENDPOINT: new URL(server.store.endpoint).host,
    MINIO_ACCESS_KEY_ID: server.store.accessKeyId,
    MINIO_SECRET_ACCESS_KEY: server.store.secretAccessKey,
    MINIO_BUCKET: server.store.bucket,
    MINIO_LOCATION: server.store.region,
    MINIO_BASE_PATH: 'old/gitea/',
    MINIO_BUCKET_LOOKUP_TYPE: 'auto',
    SERVE_DIRECT: 'true',
    ...settings,
  }
  const lines = Object.entries(all).map(([key, value]) => `${key} = \`${value}\``)
  const text = `${await readFile(made.appIni, 'utf8')}[storage]\n${lines.join('\n')}\n[lfs]\nMINIO_BASE_PATH = large/\n`
  return readInstallation(text, made.appIni)
}

test('attachments, LFS objects, pictures and packages arrive, and a lost file is counted', async () => {
  const installation = await installationAt()
  const source = await openSource(installation)
  const report = await reportMove(await runPass(forge.ctx, { installation, source }, () => {}))
  await source.close()
  assert.deepEqual(report.differences, [])
  assert.equal(report.files, 4)
  assert.deepEqual(
    report.left.filter(({ step }) => step === 'attachment → attachment'),
    [{ step: 'attachment → attachment', reason: 'its file is missing', rows: 1 }],
  )
  const get = async (path: string) => {
    const answer = await fetch(forge.base + path, { headers: { authorization: `token ${TOKEN}` } })
    return [answer.status, await answer.text()]
  }
  assert.deepEqual(await get(`/attachments/${OLD_UUID}`), [200, 'old words'])
  assert.deepEqual(await get(`/attachments/${EMPTY_UUID}`), [200, ''])
  assert.deepEqual(await get('/api/packages/ann/generic/p/1/p.tgz'), [200, TARBALL.toString()])
  assert.match(String((await get(`/avatars/${PICTURE}`))[1]), /^GIF89a/)
  const { rows } = await sql<{ oid: string }>`select oid from lfs_object`.execute(forge.db)
  assert.deepEqual(rows, [{ oid: made.lfs }])
})

for (const [setting, settings] of [
  ['MINIO_BUCKET', { MINIO_BUCKET: 'of-others' }],
  ['MINIO_ACCESS_KEY_ID or MINIO_SECRET_ACCESS_KEY', { MINIO_ACCESS_KEY_ID: 'nobody' }],
  ['MINIO_ACCESS_KEY_ID or MINIO_SECRET_ACCESS_KEY', { MINIO_SECRET_ACCESS_KEY: 'wrong' }],
] as const)
  test(`${JSON.stringify(settings)} is told as a mistake of ${setting}`, async () => {
    await assert.rejects(openSource(await installationAt(settings)), {
      name: 'OperatorError',
      message: new RegExp(`cannot be read: \\[storage\\] ${setting} \\(`),
    })
  })

test('a store that is away is told as a mistake of MINIO_ENDPOINT', async () => {
  const installation = await installationAt({ MINIO_ENDPOINT: `127.0.0.1:${await findFreePorts()}` })
  await assert.rejects(openSource(installation), /\[storage\] MINIO_ENDPOINT \(ECONNREFUSED\)/)
})
