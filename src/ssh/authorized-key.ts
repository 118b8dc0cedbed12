/** The authorized_keys line that sshd gets for a key: its owner and the forced command, or nothing. */
import { findUsablePublicKey } from '#domains/code/keys'
import type { World } from '#platform/context'
import { PERL, type SshFolder } from './folder.ts'

const FINGERPRINT = /^SHA256:[\w+/]{43}$/
/** The comment is dropped: it is untrusted text. */
const KEY = /^([\w@.-]+ [\w+/]+=*)(?: |$)/

/** Read from the database each time: a deleted key is refused at the next connection, by every node. */
export async function authorizedKey(world: World, folder: SshFolder, fingerprint: string): Promise<string> {
  if (!FINGERPRINT.test(fingerprint)) return ''
  const found = await findUsablePublicKey(world.db, fingerprint)
  const [, key] = KEY.exec(found?.key ?? '') ?? []
  if (key === undefined) return ''
  return `restrict,command="exec ${PERL} ${folder.program} ${folder.socket} session ${fingerprint}" ${key}\n`
}
