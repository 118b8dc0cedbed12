/** Fills a forge over REST: how far behind the queue is at the end, and how long it takes to catch up. */
import { drain } from './drain.ts'
import { type Figures, figuresOf } from './figures.ts'
import { STATISTICS_MS } from './queue.ts'
import type { RatedForge } from './rated-forge.ts'
import { clientOf, createFile, forEach, makeScene, range } from './scene.ts'
import { openIssue } from './writers.ts'

export interface SeedOptions {
  readonly writers: number
  /** 1 is the full size. */
  readonly scale: number
}

const PEOPLE = 20
const REPOSITORIES = 200
const ISSUES = 2_000
const FILES = 600

export async function measureSeed(forge: RatedForge, { writers, scale }: SeedOptions): Promise<Figures> {
  const sized = (count: number) => Math.max(2, Math.round(count * scale))
  const began = performance.now()
  const scene = await makeScene(forge.tried, {
    people: sized(PEOPLE),
    repositories: sized(REPOSITORIES),
    atOnce: writers,
  })
  const { people, repositories, label } = scene
  const repositoryOf = (i: number) => {
    const repository = repositories[i % repositories.length]
    if (repository === undefined) throw new Error('the scene has no repositories')
    return repository
  }
  await forEach(range(sized(ISSUES)), writers, async (i) => {
    const assignee = people[(i + 1) % people.length]
    if (assignee === undefined) throw new Error('the scene has no people')
    await openIssue(clientOf(people, i), repositoryOf(i), { title: `issue ${i}`, label, assignee })
  })
  await forEach(range(sized(FILES)), writers, (i) =>
    createFile(clientOf(people, i), repositoryOf(i), { path: `file-${i}`, text: `text ${i}` }),
  )
  const seconds = (performance.now() - began) / 1000
  const { waiting, oldest } = await forge.queue.look()
  return {
    'seed: people': people.length,
    'seed: repositories': repositories.length,
    'seed: issues': sized(ISSUES),
    'seed: files': sized(FILES),
    'seed: s': seconds,
    'jobs waiting at the end': waiting,
    'age of the oldest, s': oldest,
    ...figuresOf(await drain(forge, STATISTICS_MS)),
  }
}
