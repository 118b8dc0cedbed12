/** For tests of packages: requests with bytes, and the objects in the store. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { Forge } from '../forge.ts'

export interface Sent {
  readonly body?: Uint8Array | string | FormData
  readonly headers?: Readonly<Record<string, string>>
}

export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
  readonly json: any
}

/** Sends a request to one node; `path` is from the root. */
export async function send(
  forge: Forge,
  as: string | null,
  method: string,
  path: string,
  { body, headers = {} }: Sent = {},
  base = forge.base,
): Promise<Got> {
  const response = await fetch(`${base}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(as !== null && { authorization: `token ${forge.tokenOf(as)}` }), ...headers },
    ...(body !== undefined && { body: body as string }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch {
    json = undefined
  }
  return { status: response.status, headers: response.headers, bytes, json }
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function bytesOf(count: number): Buffer {
  return randomBytes(count)
}

/** The objects of packages in the store. */
export async function objectsOf(forge: Forge): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of forge.world.store.list('packages/')) found.push(key)
  return found.sort()
}

/** Every object has a row that names it, and every row its object. */
export async function assertNothingLost(forge: Forge): Promise<void> {
  const blobs = await forge.db.selectFrom('package_blob').select('key').execute()
  const pending = await forge.db.selectFrom('package_object').select('key').execute()
  const named = [...blobs, ...pending].map(({ key }) => `packages/${key.slice(0, 2)}/${key}`).sort()
  assert.deepEqual(await objectsOf(forge), named)
}
