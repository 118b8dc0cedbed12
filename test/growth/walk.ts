/** Asks everything that can be asked: each GET of the contract, each page, the searches, and each cron task. */
import { rawRoutes, routes, web } from '#cli'
import type { Forge } from '#testing'
import { addressOf, type Planted } from '../tokens/worlds.ts'
import type { Cost, Costs } from './costs.ts'

export interface Asked {
  readonly what: string
  readonly status: number
  readonly ms: number
  readonly costs: readonly Cost[]
}

export interface Asker {
  /** null: nobody. */
  readonly login: string | null
  readonly planted: Planted
  readonly user: string
  readonly organization: string
}

const FILTERED = [
  '/repos/search?q=stock4711',
  '/repos/search?q=stock&page=3',
  '/repos/search?sort=stars&order=desc',
  '/repos/search?sort=updated&order=desc',
  '/repos/search?sort=size&order=desc',
  '/repos/search?topic=true&q=topic-17',
  '/repos/search?q=4711&includeDesc=true',
  '/repos/search?mode=fork',
  '/repos/search?mode=source',
  '/repos/search?private=true&is_private=true',
  '/repos/search?archived=false',
  '/repos/issues/search?q=fails',
  '/repos/issues/search?q=title%204711',
  '/repos/issues/search?type=pulls&state=all',
  '/repos/issues/search?state=closed',
  '/repos/issues/search?assigned=true',
  '/repos/issues/search?created=true',
  '/repos/issues/search?mentioned=true',
  '/repos/issues/search?review_requested=true',
  '/repos/issues/search?reviewed=true',
  '/repos/issues/search?labels=bug',
  '/repos/issues/search?milestones=v7',
  '/repos/issues/search?owner=:owner',
  '/repos/:owner/:repo/issues?state=all&page=2',
  '/repos/:owner/:repo/issues?state=closed&type=issues',
  '/repos/:owner/:repo/issues?q=story',
  '/repos/:owner/:repo/issues?created_by=person3',
  '/repos/:owner/:repo/issues?assigned_by=:owner',
  '/repos/:owner/:repo/pulls?state=all&sort=recentupdate',
  '/repos/:owner/:repo/pulls?state=open&sort=mostcomment',
  '/repos/:owner/:repo/pulls?state=closed&sort=oldest',
  '/repos/:owner/:repo/milestones?state=all',
  '/repos/:owner/:repo/labels?page=2',
  '/repos/:owner/:repo/releases?page=2',
  '/repos/:owner/:repo/actions/runs?status=success',
  '/repos/:owner/:repo/issues/comments?since=2025-12-31T00%3A00%3A00Z',
  '/notifications?all=true',
  '/notifications?all=true&page=3',
  '/notifications?status-types=unread',
  '/notifications?subject-type=Pull',
  '/notifications?all=true&since=2025-12-01T00%3A00%3A00Z',
  '/repos/:owner/:repo/notifications?all=true',
  '/users/search?q=person4711',
  '/users/search?q=person',
  '/users/:username/activities/feeds?only-performed-by=true',
  '/users/:username/activities/feeds?date=2025-12-20',
  '/users/:username/repos?page=2',
  '/orgs/:org/repos?page=2',
  '/orgs/:org/members?page=2',
  '/topics/search?q=topic-17',
  '/packages/:owner?type=generic&q=ware1',
  '/admin/users?sort=newest',
  '/admin/users?q=person4711',
  '/admin/emails/search?q=person4711',
  '/admin/audit?page=2',
  '/admin/unadopted?pattern=x',
].map((path) => `/api/v1${path}`)

const PAGES = [
  '/?tab=repos',
  '/explore/repos?q=stock4711',
  '/explore/repos?sort=moststars',
  '/explore/users?q=person4711',
  '/issues?type=assigned',
  '/issues?type=created_by&state=closed',
  '/pulls?type=review_requested',
  '/notifications?q=read',
  '/:owner/:repo/issues?state=closed',
  '/:owner/:repo/issues?q=story',
  '/:owner/:repo/issues?sort=recentupdate',
  '/:owner/:repo/pulls?state=closed',
  '/:username?tab=stars',
  '/:username?tab=activity',
  '/:username?tab=followers',
]

/** Streams, and answers that are a whole repository. */
const OPEN_ENDED = new Set(rawRoutes.filter((it) => it.staysOpen).map((it) => it.operationId))

export async function ask(forge: Forge, costs: Costs, asker: Asker): Promise<Asked[]> {
  const asked: Asked[] = []
  const get = async (what: string, work: () => Promise<number>) => {
    costs.take()
    const start = performance.now()
    const status = await work()
    asked.push({ what, status, ms: performance.now() - start, costs: costs.take() })
  }
  const browser = asker.login === null ? forge.browser() : await forge.browserOf(asker.login)
  for (const path of operations())
    await get(path, async () => (await forge.call(asker.login, 'GET', `/${addressFor(path, asker)}`)).status)
  for (const path of [...web.pages.map(({ path }) => path), ...PAGES])
    await get(`page ${path}`, async () => (await browser.get(addressFor(path, asker))).status)
  return asked
}

export async function runTasks(forge: Forge, costs: Costs): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const { name } of forge.work.tasks) {
    costs.take()
    const start = performance.now()
    const failed = await forge.runTask(name).then(
      () => undefined,
      (error: Error) => error,
    )
    if (failed !== undefined) process.stderr.write(`${name}: ${failed.stack}\n`)
    asked.push({
      what: `task ${name}`,
      status: failed === undefined ? 200 : 500,
      ms: performance.now() - start,
      costs: costs.take(),
    })
  }
  return asked
}

function operations(): string[] {
  const served = routes
    .filter(({ method }) => method === 'GET')
    .map(({ path, isPage }) => (isPage ? path : `/api/v1${path}`))
  const raw = rawRoutes.filter((it) => it.method === 'GET' && !OPEN_ENDED.has(it.operationId))
  return [...new Set([...served, ...raw.map(({ path }) => path), ...FILTERED])]
}

function addressFor(path: string, { planted, user, organization }: Asker): string {
  const owner = path.includes(':repo') ? planted.owner : path.includes(':org') ? organization : user
  return addressOf(path, { ...planted, owner })
}
