/** The system user that everyone signs in as over SSH. The key identifies the account. */

import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { OperatorError } from '#platform/operator-error'

const run = promisify(execFile)

export interface LoginUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** The star is a password that never matches; an exclamation mark would lock the account for keys, too. */
const MAKE = [
  '--system',
  '--no-create-home',
  '--home-dir',
  '/',
  '--shell',
  '/bin/sh',
  '--password',
  '*',
] as const
const NAME = /^[a-z_][\w-]{0,31}$/i

export function isRoot(): boolean {
  return userInfo().uid === 0
}

/** Throws an error that names the problem and the remedy. */
export async function getLoginUser(name: string): Promise<LoginUser> {
  if (!NAME.test(name)) throw new OperatorError(`ssh.user is ${name}: invalid user name`)
  const own = userInfo()
  if (!isRoot() && own.username !== name)
    throw new OperatorError(
      `without root, only ${own.username} can sign in over SSH; set ssh.user to that name`,
    )
  const entry = await findEntry('passwd', name)
  if (entry === undefined)
    throw new OperatorError(
      `there is no user ${name}; make one: useradd ${MAKE.join(' ').replace('*', "'*'")} ${name}`,
    )
  const [, , uid, gid, , , shell = ''] = entry
  if (/\/(nologin|false)$/.test(shell))
    throw new OperatorError(
      `the user ${name} has no shell to run git sessions; run: usermod --shell /bin/sh ${name}`,
    )
  const [, password = ''] = (isRoot() ? await findEntry('shadow', name) : undefined) ?? []
  if (password.startsWith('!'))
    throw new OperatorError(`the user ${name} is locked; let keys in: usermod --password '*' ${name}`)
  return { name, uid: Number(uid), gid: Number(gid) }
}

/** For demonstration forges: creates the user where there is none; returns whether it did. */
export async function ensureLoginUser(name: string): Promise<boolean> {
  if ((await findEntry('passwd', name)) !== undefined) return false
  // Another process may have been faster: only the existence of the user counts.
  await run('useradd', [...MAKE, name]).catch(() => undefined)
  await getLoginUser(name)
  return true
}

async function findEntry(database: 'passwd' | 'shadow', name: string): Promise<string[] | undefined> {
  const { stdout } = await run('getent', [database, name]).catch(() => ({ stdout: '' }))
  return stdout === '' ? undefined : stdout.trimEnd().split(':')
}
