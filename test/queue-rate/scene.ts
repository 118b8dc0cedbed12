/** Users and repositories of one organization, created over REST: all members may write to all repositories. */
import { type Client, createClient } from '../../clients/typescript/client.ts'
import type { TriedForge } from '../try-forge.ts'

export interface Person {
  readonly id: number
  readonly login: string
  readonly token: string
  /** One for each node. */
  readonly clients: readonly Client[]
}

export interface Repository {
  readonly owner: string
  readonly repo: string
  readonly hasWebhook: boolean
  readonly hasWorkflow: boolean
  /** Numbers of its issues. */
  readonly issues: number[]
}

export interface Scene {
  readonly people: readonly Person[]
  readonly repositories: readonly Repository[]
  readonly label: number
}

export interface SceneOptions {
  readonly people: number
  readonly repositories: number
  /** Number of concurrent requests. */
  readonly atOnce: number
  /** Where one repository in ten sends its webhook; one in ten also has a workflow for issues. */
  readonly webhookUrl?: string
}

export const ORG = 'guild'
const PASSWORD = 'hammer-1234'
const BRANCH = 'main'
/** One repository in this many has a webhook, and another one a workflow. */
const SHARE = 10
/** The run is named after the issue, by which it is found. */
const WORKFLOW = `on: issues
run-name: \${{ github.event.issue.title }}
jobs:
  greet:
    runs-on: nowhere
    steps:
      - run: echo hello
`

export async function makeScene(forge: TriedForge, options: SceneOptions): Promise<Scene> {
  const { people: count, repositories: size, atOnce, webhookUrl } = options
  const people = await makePeople(forge, count, atOnce)
  const { id: label } = await clientOf(people, 0).call(
    'orgCreateLabel',
    { org: ORG },
    { name: 'bug', color: '#aa0000' },
  )
  const repositories = await forEach(range(size), atOnce, (i) =>
    makeRepository(clientOf(people, i), i, webhookUrl),
  )
  return { people, repositories, label }
}

/** Owners of a new organization. */
export async function makePeople(forge: TriedForge, count: number, atOnce: number): Promise<Person[]> {
  const admin = createClient({
    url: forge.url,
    basic: { username: forge.admin, password: forge.password },
  })
  await admin.call('orgCreate', {}, { username: ORG })
  const [owners] = await admin.call('orgListTeams', { org: ORG })
  return forEach(range(count), atOnce, async (i) => {
    const person = await makePerson(forge, admin, `person-${i}`)
    await admin.call('orgAddTeamMember', { id: owners?.id ?? 0, username: person.login })
    return person
  })
}

export function clientOf(people: readonly Person[], i: number): Client {
  return inTurn(inTurn(people, i).clients, i)
}

/** The first again after the last. */
export function inTurn<T>(all: readonly T[], i: number): T {
  const it = all[i % all.length]
  if (it === undefined) throw new Error('the scene is empty')
  return it
}

/** The results in order, with limited concurrency; the first failure ends it. */
export async function forEach<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const work = async () => {
    for (const [i, item] of left) results[i] = await act(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}

export async function createFile(
  client: Client,
  { owner, repo }: Pick<Repository, 'owner' | 'repo'>,
  file: { path: string; text: string; newBranch?: string },
): Promise<void> {
  const { path: filepath, text, newBranch } = file
  const content = Buffer.from(text).toString('base64')
  const branches = { branch: BRANCH, ...(newBranch !== undefined && { new_branch: newBranch }) }
  await client.call('repoCreateFile', { owner, repo, filepath }, { content, ...branches })
}

async function makePerson({ url, nodes }: TriedForge, admin: Client, login: string): Promise<Person> {
  const account = { username: login, email: `${login}@example.test`, password: PASSWORD }
  const { id } = await admin.call('adminCreateUser', {}, { ...account, must_change_password: false })
  const own = createClient({ url, basic: { username: login, password: PASSWORD } })
  const { sha1: token } = await own.call(
    'userCreateToken',
    { username: login },
    { name: 'rate', scopes: ['all'] },
  )
  return { id, login, token, clients: nodes.map((node) => createClient({ url: node.url, token })) }
}

async function makeRepository(
  client: Client,
  i: number,
  webhookUrl: string | undefined,
): Promise<Repository> {
  const at = { owner: ORG, repo: `anvil-${i}` }
  await client.call('createOrgRepo', { org: ORG }, { name: at.repo, auto_init: true, default_branch: BRANCH })
  const hasWebhook = webhookUrl !== undefined && i % SHARE === 0
  const hasWorkflow = webhookUrl !== undefined && i % SHARE === 1
  if (hasWebhook)
    await client.call('repoCreateHook', at, {
      type: 'gitea',
      config: { url: webhookUrl, content_type: 'json' },
      events: ['issues', 'issue_comment', 'push', 'pull_request'],
      active: true,
    })
  if (hasWorkflow) await createFile(client, at, { path: '.gitea/workflows/x.yml', text: WORKFLOW })
  return { ...at, hasWebhook, hasWorkflow, issues: [] }
}
