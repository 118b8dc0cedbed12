/** A forge of a given size, and what it reads. */
import { setTimeout as sleep } from 'node:timers/promises'
import { setPassword } from '#domains/people/users'
import { type Forge, startForge } from '#testing'
import { addRun } from '#testing/slices/runners'
import { type Planted, plant } from '../tokens/worlds.ts'
import type { Walk } from './compare.ts'
import { Costs } from './costs.ts'
import { Filler } from './fill.ts'
import { fillPlace, type Place } from './hot.ts'
import { BASE, fillMany, type Sizes } from './rows.ts'
import { type Asked, type Asker, ask, runTasks } from './walk.ts'

const TIMEOUT_MS = 600_000
/** Until all connections have the new settings. */
const SETTLING_MS = 1_000
/** So that somebody can look at the plans of what was found. */
const HOLD_MS = Number(process.env.GROWTH_HOLD_S ?? 0) * 1_000
const USUAL = { issues: 30, pulls: 10, news: 50, others: 30 }

export interface Steps {
  /** All statements are explained from then on. */
  readonly explain: () => Promise<void>
  /** Called after each of the askers. */
  readonly keep: (walk: Walk) => Promise<void>
}

export async function walkForge(sizes: Sizes, { explain, keep }: Steps): Promise<Walk> {
  const settings = { 'log.level': 'silent', 'database.statement_timeout_ms': TIMEOUT_MS } as const
  await using forge = await startForge({ config: settings, checksAnswers: false })
  const askers = await fill(forge, sizes)
  await explain()
  await sleep(SETTLING_MS)
  using costs = new Costs()
  const walk: Record<string, readonly Asked[]> = {}
  for (const [who, asker] of Object.entries(askers)) {
    walk[who] = await ask(forge, costs, asker)
    await keep(walk)
    tell(`${who} has asked`)
  }
  walk.cron = await runTasks(forge, costs)
  await keep(walk)
  tell('the tasks have run')
  await sleep(HOLD_MS)
  return walk
}

async function fill(forge: Forge, sizes: Sizes): Promise<Record<string, Asker>> {
  const { repositories } = sizes
  const [usual, hot] = [await makePlace(forge, 'ann', 'guild'), await makePlace(forge, 'max', 'crowd')]
  await forge.person('root', { is_admin: true })
  {
    await using filler = await Filler.open(forge.world.config['database.url'])
    await fillMany(filler, sizes)
    tell('the many rows are there')
    await fillPlace(filler, usual, USUAL, BASE * 10)
    const extent = { issues: repositories / 10, pulls: repositories / 100 }
    await fillPlace(filler, hot, { ...extent, news: repositories, others: repositories / 100 }, BASE * 40)
    tell('the hot rows are there')
  }
  tell('indexed')
  const asUsual = { planted: usual.planted, user: 'ann', organization: 'guild' }
  const asHot = { planted: hot.planted, user: 'max', organization: 'crowd' }
  return {
    'a user': { login: 'ann', ...asUsual },
    'a hot user': { login: 'max', ...asHot },
    'an administrator': { login: 'root', ...asHot },
    nobody: { login: null, ...asHot },
  }
}

async function makePlace(forge: Forge, login: string, organization: string): Promise<Place> {
  const account = await forge.person(login)
  await setPassword(forge.ctx, account, 'a long password')
  await forge.call(login, 'POST', '/orgs', { username: organization })
  const made = await plant(forge, login, organization, 'works', false)
  const { id: runId } = await addRun(forge.ctx, made.repositoryId)
  const planted: Planted = { ...made, after: { ...made.after, ...(await addressesIn(forge, made, runId)) } }
  await forge.runJobs()
  const { body } = await forge.call(
    login,
    'GET',
    `/repos/${organization}/works/issues/${planted.after.issues}`,
  )
  return { planted, userId: account.id, issueId: body.id }
}

/** Values of parameters that the routes of other tests do without. */
async function addressesIn(forge: Forge, { owner, marker, after }: Planted, runId: number) {
  const { id: job } = await forge.db
    .selectFrom('action_job')
    .select('id')
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  const { id: team } = await forge.db
    .selectFrom('team')
    .innerJoin('account', 'account.id', 'team.organization_id')
    .select('team.id')
    .where('login', '=', owner)
    .executeTakeFirstOrThrow()
  const person = 'person1'
  return {
    runs: String(runId),
    jobs: String(job),
    job: String(job),
    teams: String(team),
    members: person,
    collaborators: person,
    following: person,
    assignees: person,
    workflows: 'check.yml',
    commit: after.commits ?? '',
    milestone: after.milestones ?? '',
    ':type': marker,
    tag: marker,
    wiki: marker,
    ':kind': 'main',
  }
}

const startedAt = performance.now()
function tell(what: string): void {
  process.stderr.write(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${what}\n`)
}
