/**
 * The host key. It belongs to the forge and not to the machine: clients must see the same one on every node, so it is
 * stored encrypted in the object store, and a node has a copy. The first node to start creates it.
 */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { World } from '#platform/context'
import { OperatorError } from '#platform/operator-error'

const run = promisify(execFile)
const PREFIX = 'ssh/host-key-'
const PURPOSE = 'ssh host key'

type Parts = Pick<World, 'store' | 'seal'>

/** Writes the host key to `file`. A key already in the file is adopted if the forge has none that it can decrypt. */
export async function openHostKey(parts: Parts, file: string): Promise<void> {
  const known = await findHostKey(parts)
  if (known.key !== undefined) return write(file, known.key)
  const own = await readFile(file, 'utf8').catch(() => undefined)
  // A new key would make every client warn of an attack.
  if (own === undefined && known.isSealed)
    throw new OperatorError('SSH host key is encrypted with a key that is not in secrets.keys')
  await keep(parts, own ?? (await makeHostKey(file)))
  // Another node may have been faster; then its key is the forge's.
  const { key } = await findHostKey(parts)
  assert(key !== undefined, 'what was kept can be read')
  await write(file, key)
}

/** Encrypts the host key with the first key and deletes the other copies. */
export async function resealHostKey(parts: Parts): Promise<void> {
  const { key } = await findHostKey(parts)
  // Copies that no key of `secrets.keys` opens stay: they may be the only ones.
  if (key === undefined) return
  await keep(parts, key)
  const [first] = parts.seal.keyIds
  for (const keyId of await findHostKeyIds(parts))
    if (keyId !== first) await parts.store.delete(`${PREFIX}${keyId}`)
}

/** Ids of the keys that encrypted a copy of the host key. */
export async function findHostKeyIds({ store }: Pick<Parts, 'store'>): Promise<string[]> {
  const objects = await Array.fromAsync(store.list(PREFIX))
  return objects.map(({ key }) => key.slice(PREFIX.length))
}

interface Known {
  readonly key: string | undefined
  /** An encrypted key exists, whether it can be decrypted or not. */
  readonly isSealed: boolean
}

/** One copy for each encryption key: another is added at the first start after a rotation. */
async function findHostKey(parts: Parts): Promise<Known> {
  const copies: string[] = []
  for await (const { key } of parts.store.list(PREFIX))
    copies.push((await buffer((await parts.store.read(key)).body)).toString('utf8'))
  const [key] = copies.flatMap((sealed) => open(parts, sealed) ?? [])
  if (key !== undefined && copies.every((sealed) => parts.seal.needsRotation(sealed))) await keep(parts, key)
  return { key, isSealed: copies.length > 0 }
}

function open({ seal }: Parts, sealed: string): string | undefined {
  try {
    return seal.open(PURPOSE, sealed)
  } catch {
    return undefined
  }
}

/** Named after the encryption key, so that of two nodes at the same moment one is refused by the store. */
async function keep({ store, seal }: Parts, hostKey: string): Promise<void> {
  const sealed = seal.seal(PURPOSE, hostKey)
  const [, sealedBy] = sealed.split('.')
  const body = Buffer.from(sealed)
  await store.create(`${PREFIX}${sealedBy}`, body, { bytes: body.length })
}

async function makeHostKey(file: string): Promise<string> {
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file])
  await rm(`${file}.pub`, { force: true })
  return readFile(file, 'utf8')
}

/** Never readable by others, not even for a moment. */
async function write(file: string, hostKey: string): Promise<void> {
  await rm(file, { force: true })
  await writeFile(file, hostKey, { mode: 0o600 })
}
