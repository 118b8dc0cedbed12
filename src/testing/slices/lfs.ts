/** For tests of Git LFS: objects, batches, and the addresses of a repository. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Forge } from '../forge.ts'
import { type Got, type Sent, send, sha256 } from './packages.ts'

export interface LfsObject {
  readonly oid: string
  readonly size: number
  readonly bytes: Buffer
}

export function objectOf(content: string | number): LfsObject {
  const bytes = typeof content === 'number' ? randomBytes(content) : Buffer.from(content)
  return { oid: sha256(bytes), size: bytes.length, bytes }
}

export function pointerTo({ oid, size }: Pick<LfsObject, 'oid' | 'size'>): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`
}

export function lfs(
  forge: Forge,
  as: string | null,
  method: string,
  repo: string,
  path: string,
  { json, ...sent }: Sent & { readonly json?: unknown } = {},
): Promise<Got> {
  const headers = { 'content-type': 'application/vnd.git-lfs+json', ...sent.headers }
  const body = json === undefined ? sent.body : JSON.stringify(json)
  return send(forge, as, method, `/${repo}.git/info/lfs${path}`, {
    ...sent,
    headers,
    ...(body !== undefined && { body }),
  })
}

export async function batch(
  forge: Forge,
  as: string | null,
  repo: string,
  operation: string,
  objects: readonly { readonly oid: unknown; readonly size: unknown }[],
): Promise<Got> {
  const named = objects.map(({ oid, size }) => ({ oid, size }))
  return lfs(forge, as, 'POST', repo, '/objects/batch', { json: { operation, objects: named } })
}

export function put(
  forge: Forge,
  as: string | null,
  repo: string,
  { oid, size, bytes }: LfsObject,
): Promise<Got> {
  return lfs(forge, as, 'PUT', repo, `/objects/${oid}/${size}`, { body: bytes })
}

export async function upload(forge: Forge, as: string, repo: string, object: LfsObject): Promise<void> {
  const { status, bytes } = await put(forge, as, repo, object)
  assert.equal(status, 200, bytes.toString())
}

export function get(
  forge: Forge,
  as: string | null,
  repo: string,
  oid: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Got> {
  return lfs(forge, as, 'GET', repo, `/objects/${oid}`, { headers })
}

/** Every object in the store has a row that names it or waits for its deletion, and every row has its object. */
export async function assertNothingLost(forge: Forge): Promise<void> {
  const stored: string[] = []
  for await (const { key } of forge.world.store.list('lfs/')) stored.push(key)
  const rows = await forge.db.selectFrom('lfs_object').select('key').execute()
  const named = rows.map(({ key }) => `lfs/${key.slice(0, 2)}/${key}`)
  const discarded = await forge.db.selectFrom('discarded_object').select('key').execute()
  const waiting = new Set(discarded.map(({ key }) => key))
  assert.deepEqual(
    named.filter((key) => !stored.includes(key) || waiting.has(key)),
    [],
    'rows without bytes',
  )
  assert.deepEqual(
    stored.filter((key) => !named.includes(key) && !waiting.has(key)),
    [],
    'bytes without rows',
  )
}
