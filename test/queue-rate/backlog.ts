/** Opens issues while their events are held back; then measures how fast the queue delivers all of them. */
import { drain } from './drain.ts'
import { type Figures, figuresOf } from './figures.ts'
import { STATISTICS_MS } from './queue.ts'
import type { RatedForge } from './rated-forge.ts'
import { clientOf, forEach, makeScene, range } from './scene.ts'
import { openIssue } from './writers.ts'

export interface BacklogOptions {
  readonly writers: number
  readonly issues: number
}

const PEOPLE = 20
const REPOSITORIES = 60

export async function measureBacklog(forge: RatedForge, options: BacklogOptions): Promise<Figures> {
  const { writers, issues } = options
  const { people, repositories, label } = await makeScene(forge.tried, {
    people: PEOPLE,
    repositories: REPOSITORIES,
    atOnce: writers,
  })
  await drain(forge, 0)
  await forge.queue.holdBack()
  await forEach(range(issues), writers, async (i) => {
    const assignee = people[(i + 1) % people.length]
    const repository = repositories[i % repositories.length]
    if (assignee === undefined || repository === undefined) throw new Error('the scene is empty')
    await openIssue(clientOf(people, i), repository, { title: `issue ${i}`, label, assignee })
  })
  const held = await forge.queue.countHeldBack()
  await forge.queue.release()
  const drained = await drain(forge, STATISTICS_MS)
  return {
    'issues opened': issues,
    'jobs held back': held.jobs,
    'events held back': held.events,
    'deliveries held back (an event to a consumer)': held.deliveries,
    'deliveries a second': held.deliveries / drained.seconds,
    ...figuresOf(drained),
  }
}
