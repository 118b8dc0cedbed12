/** Repositories with webhooks, workflows, watchers and pull requests, and the clients that push to them. */
import type { Client } from '../../clients/typescript/client.ts'
import { clientOf, forEach, inTurn, makePeople, ORG, type Person, range } from '../queue-rate/scene.ts'
import type { TriedForge } from '../try-forge.ts'
import { type PushedRepository, Pusher } from './pusher.ts'

export interface SceneOptions {
  readonly repositories: number
  readonly pushers: number
  readonly webhookUrl: string
}

export interface Scene {
  readonly repositories: readonly PushedRepository[]
  readonly pushers: readonly Pusher[]
}

const WATCHERS = 5
/** One repository in this many has a webhook, and one in this many a workflow; the first has both. */
const SHARE = 10
/** Pull requests from branches of the pushers: half of the branches of the first repository, one in each of these. */
const WITH_PULLS = 100
const AT_ONCE = 8
const WORKFLOW = `on: push
jobs:
  build:
    runs-on: nowhere
    steps:
      - run: echo hello
`

export async function makeScene(forge: TriedForge, options: SceneOptions): Promise<Scene> {
  const people = await makePeople(forge, WATCHERS, AT_ONCE)
  const pushers = range(options.pushers).map(
    (i) => new Pusher(inTurn(forge.nodes, i).url, inTurn(people, i), `topic-${i}`),
  )
  const repositories = await forEach(range(options.repositories), AT_ONCE, async (i) => {
    const client = clientOf(people, i)
    const repository = await makeRepository(client, i, options.webhookUrl)
    const half = pushers.filter((_, at) => at % 2 === 0)
    if (i === 0) for (const it of half) await openPull(client, repository, it)
    else if (i < WITH_PULLS) await openPull(client, repository, inTurn(pushers, i))
    if (i < WITH_PULLS) for (const it of people) await watch(it, repository)
    return repository
  })
  return { repositories, pushers }
}

async function makeRepository(client: Client, i: number, webhookUrl: string): Promise<PushedRepository> {
  const at = { owner: ORG, repo: `anvil-${i}` }
  await client.call('createOrgRepo', { org: ORG }, { name: at.repo, auto_init: true, default_branch: 'main' })
  const { commit } = await client.call('repoGetBranch', { ...at, branch: 'main' })
  if (i % SHARE === 0)
    await client.call('repoCreateHook', at, {
      type: 'gitea',
      config: { url: webhookUrl, content_type: 'json' },
      events: ['push', 'pull_request'],
      active: true,
    })
  const hasWorkflow = i === 0 || i % SHARE === 1
  return { path: `${ORG}/${at.repo}`, start: commit.id, workflow: hasWorkflow ? WORKFLOW : undefined }
}

async function openPull(client: Client, repository: PushedRepository, pusher: Pusher): Promise<void> {
  const { failure } = await pusher.push(repository)
  if (failure !== undefined) throw new Error(failure)
  const [owner = '', repo = ''] = repository.path.split('/')
  const { branch } = pusher
  await client.call('repoCreatePullRequest', { owner, repo }, { title: branch, head: branch, base: 'main' })
}

async function watch({ clients: [client] }: Person, { path }: PushedRepository): Promise<void> {
  const [owner = '', repo = ''] = path.split('/')
  await client?.call('userCurrentPutSubscription', { owner, repo })
}
