/** `bloomery try --demo`: a forge with some of everything, made over REST and git as people would. */
import { type SeededCode, seedMoreCode } from './code.ts'
import { type ForgeAddress, PASSWORD, SeededForge, WorkTree } from './forge.ts'
import { type SeededPlan, seedPlan } from './plan.ts'
import { seedPull } from './pulls.ts'
import { type SeededRuns, seedRuns } from './runs.ts'

/** What was made, as tests need it for addresses of pages. */
export interface Demo extends SeededRuns {
  readonly forge: SeededForge
  /** With code, issues, pull requests, releases and a wiki. */
  readonly repository: string
  readonly commit: string
  readonly parent: string
  readonly issue: number
  readonly pull: number
  /** A commit of the pull request. */
  readonly pullCommit: string
  readonly milestone: number
  readonly code: SeededCode
  readonly plan: SeededPlan
}

export interface Login {
  readonly role: 'administrator' | 'maintainer' | 'contributor'
  readonly login: string
  readonly password: string
}

const MAINTAINER = 'ann'
const CONTRIBUTOR = 'bob'
const PEOPLE = { [MAINTAINER]: 'Ann Smith', [CONTRIBUTOR]: 'Bob Cole', carol: 'Carol Reeve' }
const REPOSITORY = `${MAINTAINER}/furnace`

export function demoLogins({ admin, password }: ForgeAddress): Login[] {
  return [
    { role: 'administrator', login: admin, password },
    { role: 'maintainer', login: MAINTAINER, password: PASSWORD },
    { role: 'contributor', login: CONTRIBUTOR, password: PASSWORD },
  ]
}

/** Whether a forge whose data is kept has had its demo. */
export async function hasDemo(address: ForgeAddress): Promise<boolean> {
  const users = await new SeededForge(address).call(address.admin, 'GET', `/users/search?q=${MAINTAINER}`)
  return users.data.some(({ login }: { login: string }) => login === MAINTAINER)
}

export async function seedDemo(address: ForgeAddress): Promise<Demo> {
  const forge = new SeededForge(address)
  await Promise.all(Object.entries(PEOPLE).map(([login, full_name]) => forge.person(login, { full_name })))
  await forge.call('ann', 'POST', '/orgs', {
    username: 'smithy',
    full_name: 'The Smithy',
    description: 'Iron, and what is made of it.',
  })
  const [furnace, runs] = await Promise.all([seedFurnace(forge), seedRuns(forge), seedTeam(forge)])
  return { forge, repository: REPOSITORY, ...furnace, ...runs }
}

async function seedTeam(forge: SeededForge): Promise<void> {
  await forge.call('ann', 'PATCH', '/user/settings', {
    description: 'Makes iron.',
    location: 'Sussex',
    website: 'https://example.test/ann',
  })
  await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'anvil', description: 'What iron lies on.' })
  const { id: team } = await forge.call('ann', 'POST', '/orgs/smithy/teams', {
    name: 'strikers',
    description: 'They hit it.',
    permission: 'write',
    units: ['repo.code', 'repo.issues', 'repo.pulls'],
  })
  await forge.call('ann', 'PUT', `/teams/${team}/members/bob`)
  await forge.call('ann', 'PUT', `/teams/${team}/repos/smithy/anvil`)
  await forge.call('bob', 'PUT', '/user/following/ann')
}

async function seedFurnace(
  forge: SeededForge,
): Promise<Omit<Demo, 'forge' | 'repository' | keyof SeededRuns>> {
  await forge.call('ann', 'POST', '/user/repos', {
    name: 'furnace',
    description: 'Makes iron from ore, slowly and well.',
  })
  await forge.call('ann', 'PUT', `/repos/${REPOSITORY}/collaborators/bob`, { permission: 'write' })
  await forge.call('bob', 'PUT', `/user/starred/${REPOSITORY}`)
  const commits = await seedCode(forge)
  const { issue, milestone } = await seedIssues(forge)
  const pull = await seedPull(forge, REPOSITORY)
  const code = await seedMoreCode(forge, REPOSITORY)
  const plan = await seedPlan(forge, REPOSITORY, issue)
  return { ...commits, issue, milestone, ...pull, code, plan }
}

const README = `# Furnace

Makes **iron** from ore. See [the guide](docs/guide.md) and #1.

- [x] light the fire
- [ ] wait

\`\`\`ts
export const heat = (ore: Ore) => smelt(ore, { celsius: 1_200 })
\`\`\`
`

const MAIN = `/** Heats ore until there is iron. */
import { smelt } from './smelt.ts'

export interface Ore {
  readonly kind: 'magnetite' | 'hematite'
  readonly grams: number
}

const CELSIUS = 1_200

export async function heat(ore: Ore): Promise<number> {
  // Slowly, or it cracks.
  for (let celsius = 20; celsius < CELSIUS; celsius += 20) await smelt(ore, { celsius })
  return ore.grams * 0.7
}
`

async function seedCode(forge: SeededForge): Promise<{ commit: string; parent: string }> {
  await using tree = await WorkTree.make('ann', forge.cloneUrl('ann', REPOSITORY))
  const parent = await tree.commit('Light the fire', {
    'README.md': README,
    'src/main.ts': MAIN,
    'docs/guide.md': '# Guide\n\nOre goes in at the top.\n',
    LICENSE: 'Do as you like.\n',
  })
  const commit = await tree.commit('Heat more slowly\n\nIt cracked.', {
    'src/main.ts': MAIN.replace('+= 20', '+= 5'),
    'src/smelt.ts': 'export async function smelt(): Promise<void> {}\n',
  })
  await tree.git('tag', '-a', 'v1.0', '-m', 'First iron')
  await tree.push('main', 'v1.0')
  return { commit, parent }
}

async function seedIssues(forge: SeededForge): Promise<{ issue: number; milestone: number }> {
  const path = `/repos/${REPOSITORY}`
  const bug = await forge.call('ann', 'POST', `${path}/labels`, {
    name: 'bug',
    color: '#d73a4a',
    description: 'It does not work',
  })
  const { id: milestone } = await forge.call('ann', 'POST', `${path}/milestones`, {
    title: 'First melt',
    due_on: '2027-01-01T00:00:00Z',
  })
  const { number: issue } = await forge.call('bob', 'POST', `${path}/issues`, {
    title: 'The furnace goes out at night',
    body: 'Nobody adds coal between two and four.\n\n@ann, could we take turns?',
  })
  await forge.call('ann', 'PATCH', `${path}/issues/${issue}`, { assignees: ['ann'], milestone })
  await forge.call('ann', 'POST', `${path}/issues/${issue}/labels`, { labels: [bug.id] })
  await forge.call('ann', 'POST', `${path}/issues/${issue}/comments`, {
    body: 'I take Mondays.\n\n> two and four\n\nThat is late.',
  })
  await forge.call('ann', 'POST', `${path}/issues`, { title: 'Buy more ore', body: '' })
  return { issue, milestone }
}
