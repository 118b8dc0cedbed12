/** The authorized_keys line that sshd gets for a key: its owner and the forced command, or nothing. */
import { createHash } from 'node:crypto'
import { findUsablePublicKey } from '#domains/code/keys'
import type { World } from '#platform/context'
import { PERL, type SshFolder } from './folder.ts'

const FINGERPRINT = /^SHA256:[\w+/]{43}$/
/** The comment is dropped: it is untrusted text. */
const KEY = /^([\w@.-]+ [\w+/]+=*)(?: |$)/

/** The key that a client offers, as sshd passes it on. */
export interface OfferedKey {
  readonly fingerprint: string
  readonly type: string
  readonly blob: string
}

const TYPE = /^[\w@.-]{1,100}$/
const BLOB = /^[A-Za-z0-9+/]{1,12000}={0,2}$/
/** In place of `session`: the forced command of a client that gets nothing but words. */
export const AWAY = 'away'

/**
 * The line while the database is away, so that users do not mistake an outage for a wrong key. The owner of the key is
 * unknown then. Invariant: the forced command prints that the forge is unavailable, and does nothing else for any client.
 */
export function unavailableKey(folder: SshFolder, { fingerprint, type, blob }: OfferedKey): string {
  const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64').replace(/=+$/, '')
  if (!TYPE.test(type) || !BLOB.test(blob) || fingerprint !== `SHA256:${digest}`) return ''
  return `restrict,command="exec ${PERL} ${folder.program} ${folder.socket} ${AWAY} ${fingerprint}" ${type} ${blob}\n`
}

/** Read from the database each time: a deleted key is refused at the next connection, by every node. */
export async function authorizedKey(world: World, folder: SshFolder, fingerprint: string): Promise<string> {
  if (!FINGERPRINT.test(fingerprint)) return ''
  const found = await findUsablePublicKey(world.db, fingerprint)
  const [, key] = KEY.exec(found?.key ?? '') ?? []
  if (key === undefined) return ''
  return `restrict,command="exec ${PERL} ${folder.program} ${folder.socket} session ${fingerprint}" ${key}\n`
}
