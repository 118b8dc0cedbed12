/** What sshd is told about a key: who bears it and the one thing they may do, or nothing at all. */
import { findUsablePublicKey } from '#domains/code/keys'
import type { World } from '#platform/context'
import { PERL, type SshFolder } from './folder.ts'

const FINGERPRINT = /^SHA256:[\w+/]{43}$/
/** The comment is dropped: it is anybody's text. */
const KEY = /^([\w@.-]+ [\w+/]+=*)(?: |$)/

/** Asked of the database each time: a key that was taken away is refused at the next connection, by every node. */
export async function authorizedKey(world: World, folder: SshFolder, fingerprint: string): Promise<string> {
  if (!FINGERPRINT.test(fingerprint)) return ''
  const found = await findUsablePublicKey(world.db, fingerprint)
  const [, key] = KEY.exec(found?.key ?? '') ?? []
  if (key === undefined) return ''
  return `restrict,command="exec ${PERL} ${folder.program} ${folder.socket} session ${fingerprint}" ${key}\n`
}
