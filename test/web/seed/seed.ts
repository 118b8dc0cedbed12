/** A forge with some of everything, so that every page has something to show. */
import { type SeededCode, seedMoreCode } from './code.ts'
import { SeededForge, WorkTree } from './forge.ts'
import { type Own, seedOwn } from './own.ts'
import { type SeededPlan, seedPlan } from './plan.ts'
import { seedPull } from './pulls.ts'
import { type SeededRuns, seedRuns } from './runs.ts'

/** Data for addresses of pages. */
export interface Seeded extends SeededRuns, Own {
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

const REPOSITORY = 'ann/furnace'

export async function seed(given: ConstructorParameters<typeof SeededForge>[0]): Promise<Seeded> {
  const forge = new SeededForge(given)
  for (const login of ['ann', 'bob', 'carol']) await forge.person(login, { full_name: `${login} Smith` })
  await forge.call('ann', 'POST', '/orgs', {
    username: 'smithy',
    full_name: 'The Smithy',
    description: 'Iron, and what is made of it.',
  })
  await forge.call('ann', 'POST', '/user/repos', {
    name: 'furnace',
    description: 'Makes iron from ore, slowly and well.',
  })
  await forge.call('ann', 'PUT', `/repos/${REPOSITORY}/collaborators/bob`, { permission: 'write' })
  const { commit, parent } = await seedCode(forge)
  const { issue, milestone } = await seedIssues(forge)
  const { pull, pullCommit } = await seedPull(forge, REPOSITORY)
  const runs = await seedRuns(forge)
  const code = await seedMoreCode(forge, REPOSITORY)
  const own = await seedOwn(forge, REPOSITORY)
  const plan = await seedPlan(forge, REPOSITORY, issue)
  return {
    forge,
    repository: REPOSITORY,
    commit,
    parent,
    issue,
    pull,
    pullCommit,
    milestone,
    code,
    plan,
    ...own,
    ...runs,
  }
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
