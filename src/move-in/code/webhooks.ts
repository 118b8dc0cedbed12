/** Webhooks with their secrets. Deliveries stay behind: they are a log of the other instance. */
import { AUTHORIZATION_PURPOSE, interestsOf, isHookType, SECRET_PURPOSE } from '#domains/code/webhooks'
import { carry, Left } from '../carry/carry.ts'
import type { SourceRow } from '../source/driver.ts'
import { flag, id, number, object, text, timesOf } from '../source/fields.ts'
import { decryptSecret } from '../source/secrets.ts'

const FORM = 2
const EVERYTHING = ['create', 'delete', 'fork', 'push', 'repository', 'wiki', 'release', 'package', 'status']
const MORE = ['workflow_run', 'workflow_job', 'issues', 'pull_request']

const hooks = carry({
  from: 'webhook',
  into: 'webhook',
  rows: (row, { ctx, installation }) => {
    const type = text(row.type)
    if (!isHookType(type)) return new Left(`hooks of type "${type}" are not known here`)
    const header = text(row.header_authorization_encrypted)
    const authorization = header === '' ? '' : openHeader(installation.secretKey, header)
    if (authorization === undefined) return new Left('SECRET_KEY of app.ini does not decrypt its header')
    const seal = (purpose: string, plain: string) => (plain === '' ? '' : ctx.seal.seal(purpose, plain))
    const repository = id(row.repo_id)
    const owner = repository === null ? id(row.owner_id) : null
    const site = flag(row.is_system_webhook) ? 'system' : 'default'
    const scope = repository !== null ? 'repository' : owner !== null ? 'owner' : site
    return {
      id: number(row.id),
      scope,
      repository_id: repository,
      owner_id: owner,
      type,
      name: text(row.name),
      url: text(row.url),
      content_type: number(row.content_type) === FORM ? 'form' : 'json',
      sealed_secret: seal(SECRET_PURPOSE, text(row.secret)),
      sealed_authorization: seal(AUTHORIZATION_PURPOSE, authorization),
      settings: settingsOf(row),
      is_active: flag(row.is_active),
      ...timesOf(row),
      ...selectionOf(row),
    }
  },
})

function openHeader(secretKey: string, encrypted: string): string | undefined {
  try {
    return decryptSecret(secretKey, encrypted)
  } catch {
    return undefined
  }
}

/** In Gitea the choice `issues` does not include `issue_comment` and its kin, so here it is `issues_only`. */
function selectionOf(row: SourceRow): { events: string[]; branch_filter: string } {
  const chosen = object(row.events)
  const branch_filter = typeof chosen.branch_filter === 'string' ? chosen.branch_filter : ''
  if (chosen.send_everything === true) return { events: interestsOf([...EVERYTHING, ...MORE]), branch_filter }
  if (chosen.choose_events !== true) return { events: interestsOf(['push']), branch_filter }
  const named = Object.entries((chosen.events ?? {}) as Record<string, unknown>)
    .filter(([, isChosen]) => isChosen === true)
    .map(([name]) => (name === 'issues' || name === 'pull_request' ? `${name}_only` : name))
  return { events: named.length === 0 ? [] : interestsOf(named), branch_filter }
}

function settingsOf(row: SourceRow): object {
  const meta = Object.entries(object(row.meta)).filter(
    ([, value]) => value !== null && typeof value !== 'object',
  )
  return Object.fromEntries(meta.map(([name, value]) => [name, String(value)]))
}

export const webhooks = [hooks]
