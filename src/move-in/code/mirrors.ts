/** Pull and push mirrors. Their credentials are in the git configuration of the repository. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REMOTE_PURPOSE } from '#domains/remotes/imports'
import { carry, Left, type Move } from '../carry/carry.ts'
import type { SourceRow } from '../source/driver.ts'
import { flag, number, text, time, timeOr } from '../source/fields.ts'

const FROM = (table: string) =>
  `select m.*, r.lower_name as repository, u.lower_name as owner from ${table} as m
   join repository as r on r.id = m.repo_id join "user" as u on u.id = r.owner_id`
const SECOND_NS = 1e9

const pulled = carry<ReadonlyMap<number, string>>({
  name: 'mirror → mirror',
  from: FROM('mirror'),
  into: 'mirror',
  key: ['repository_id'],
  isReplaced: true,
  around: (move, _, batch) => readRemotes(move, batch, () => 'origin'),
  rows: (row, move, remotes) => {
    const remote = splitRemote(remotes.get(number(row.id)) ?? text(row.remote_address))
    if (remote === undefined) return new Left('its address is not http or https')
    return { repository_id: number(row.repo_id), ...sealed(move, remote) }
  },
})

const pushed = carry<ReadonlyMap<number, string>>({
  name: 'push_mirror → push_mirror',
  from: FROM('push_mirror'),
  into: 'push_mirror',
  around: (move, _, batch) => readRemotes(move, batch, (row) => text(row.remote_name)),
  rows: (row, move, remotes) => {
    const remote = splitRemote(remotes.get(number(row.id)) ?? text(row.remote_address))
    if (remote === undefined) return new Left('its address is not http or https')
    const interval = Math.floor(number(row.interval) / SECOND_NS)
    return {
      id: number(row.id),
      repository_id: number(row.repo_id),
      name: text(row.remote_name),
      ...sealed(move, remote),
      interval_s: interval,
      syncs_on_push: flag(row.sync_on_commit),
      next_at: interval > 0 ? timeOr(number(row.last_update) + interval, row.created_unix) : null,
      last_error: text(row.last_error),
      updated_at: time(row.last_update),
      created_at: timeOr(row.created_unix, null),
    }
  },
})

/** Addresses with credentials, by the id of the row. */
async function readRemotes(
  { installation }: Move,
  batch: readonly SourceRow[],
  nameOf: (row: SourceRow) => string,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  for (const row of batch) {
    const folder = join(installation.repositories, text(row.owner), `${text(row.repository)}.git`)
    const config = await readFile(join(folder, 'config'), 'utf8').catch(() => '')
    const url = urlOf(config, nameOf(row))
    if (url !== undefined) found.set(number(row.id), url)
  }
  return found
}

function urlOf(config: string, remote: string): string | undefined {
  const sections = config.split(/^\s*\[/m)
  const section = sections.find((it) => it.startsWith(`remote "${remote}"]`))
  return /^\s*url\s*=\s*(\S+)/m.exec(section ?? '')?.[1]
}

interface Remote {
  readonly url: string
  readonly username: string
  readonly password: string
}

function splitRemote(address: string): Remote | undefined {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  const { username, password } = url
  url.username = ''
  url.password = ''
  return { url: url.href, username: decodeURIComponent(username), password: decodeURIComponent(password) }
}

function sealed({ ctx }: Move, { url, username, password }: Remote) {
  const credentials = ctx.seal.seal(REMOTE_PURPOSE, JSON.stringify({ username, password }))
  return { url, credentials, last_error: '' }
}

export const mirrors = [pulled, pushed]
