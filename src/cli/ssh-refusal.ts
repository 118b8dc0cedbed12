/** Why a forge that is only tried out goes without SSH. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { getLoginUser, SSHD } from '#ssh'

/** Root makes a user for SSH; anybody else needs a shell, which accounts of services lack. */
export async function sshRefusal(
  user: Readonly<{ uid: number; username: string }> = userInfo(),
): Promise<string | undefined> {
  if (!existsSync(SSHD)) return 'sshd is not installed'
  if (user.uid === 0) return undefined
  return getLoginUser(user.username).then(
    () => undefined,
    (error: Error) => error.message,
  )
}
