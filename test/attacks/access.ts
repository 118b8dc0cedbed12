/**
 * Access: revoked access stays revoked, forks are visible to no more users than their parents, and hidden resources
 * cannot be probed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import { base64, hold, type Person } from './kit/calls.ts'
import type { Forge } from './kit/forge.ts'
import { clone, commitFile, mustGit } from './kit/git.ts'
import { pushRequest, RECEIVE_HEADERS } from './kit/protocol.ts'

const SECRET = 'TOP SECRET'

export const access: readonly Attack[] = [
  {
    name: 'a-push-by-a-removed-collaborator',
    holds: 'a push is refused when its pusher lost access before it ended',
    seconds: 90,
    on: 'disk',
    isInCi: true,
    run: pushAfterRemoval,
  },
  {
    name: 'an-appointment-by-a-removed-administrator',
    holds: 'an administrator who was removed meanwhile appoints no collaborator',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: appointAfterRemoval,
  },
  {
    name: 'a-commit-that-was-forced-away',
    holds: 'commits that were forced away are not found by the beginning of their id',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: findForcedAway,
  },
  {
    name: 'a-hidden-account',
    holds: 'strangers cannot tell a hidden account from none',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: findHidden,
  },
  {
    name: 'a-topic-of-a-private-repository',
    holds: 'topics of private repositories are not shown to strangers',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: findTopics,
  },
  {
    name: 'a-fork-of-what-is-closed-meanwhile',
    holds: 'a fork takes the visibility its parent has now',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: forkWithHeldBody,
  },
  {
    name: 'a-fork-out-of-a-private-organization',
    holds: 'a fork out of a private organization cannot be made public',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: forkOutOfPrivateOrganization,
  },
  {
    name: 'a-fork-of-a-limited-owner',
    holds: 'a fork from a limited owner is not shown to strangers',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: forkFromLimitedOwner,
  },
]

async function pushAfterRemoval(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const bob = await forge.user('bob')
  const repository = await forge.repository(ann, 'closed', { private: true })
  const collaborator = `/api/v1/repos/${repository}/collaborators/${bob.name}`
  await forge.must(ann, 'PUT', collaborator, { permission: 'write' })
  const folder = await clone(forge, bob, repository)
  const path = `/${repository}.git/git-receive-pack`
  const early = await commitFile(folder, 'early', 'early')
  await forge.call(bob, 'POST', path, await pushRequest(folder, 'main'), { headers: RECEIVE_HEADERS })
  if ((await forge.tip(ann, repository)) !== early) throw new Error('a collaborator cannot push at all')
  await mustGit(folder, 'fetch', '-q')
  const pushed = await commitFile(folder, 'late', 'late')
  const body = await pushRequest(folder, 'main')
  const held = hold(forge.base, { who: bob, method: 'POST', path }, body, 50, { headers: RECEIVE_HEADERS })
  await sleep(2_000)
  await forge.must(ann, 'DELETE', collaborator)
  const facts = { login_name: bob.name, source_id: 0, prohibit_login: true }
  await forge.must(forge.admin, 'PATCH', `/api/v1/admin/users/${bob.name}`, facts)
  await sleep(1_000)
  await held.finish().catch(() => undefined)
  const isMoved = (await forge.tip(ann, repository)) === pushed
  return isMoved
    ? 'main is the commit of a collaborator removed and prohibited to sign in 1 s before'
    : undefined
}

async function appointAfterRemoval(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const mallory = await forge.user('mallory')
  const carol = await forge.user('carol')
  const repository = await forge.repository(ann, 'closed', { private: true })
  const collaborators = `/api/v1/repos/${repository}/collaborators`
  await forge.must(ann, 'PUT', `${collaborators}/${mallory.name}`, { permission: 'admin' })
  const body = Buffer.from('{"permission":"admin"}')
  const path = `${collaborators}/${carol.name}`
  const held = hold(forge.base, { who: mallory, method: 'PUT', path }, body, body.length)
  await sleep(1_500)
  await forge.must(ann, 'DELETE', `${collaborators}/${mallory.name}`)
  await sleep(1_000)
  const { status } = await held.finish()
  const seen = await forge.call(carol, 'GET', `/api/v1/repos/${repository}`)
  return seen.status === 200 ? `answered ${status}, and the one appointed reads the repository` : undefined
}

async function findForcedAway(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'forced')
  const folder = await clone(forge, ann, repository)
  const forced = await commitFile(folder, 'key', 'TOP SECRET')
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:main')
  await mustGit(folder, 'reset', '-q', '--hard', 'HEAD~1')
  await mustGit(folder, 'push', '-qf', 'origin', 'HEAD:main')
  await forge.must(
    undefined,
    'GET',
    `/api/v1/repos/${repository}/raw/README.md?ref=${await forge.tip(ann, repository)}`,
  )
  for (const digits of [4, 7, 10]) {
    const start = forced.slice(0, digits)
    const read = await forge.call(undefined, 'GET', `/api/v1/repos/${repository}/raw/key?ref=${start}`)
    if (read.text === 'TOP SECRET') return `${digits} digits are enough to read it as anonymous`
    const commit = await forge.call(undefined, 'GET', `/api/v1/repos/${repository}/git/commits/${start}`)
    if (commit.status === 200) return `${digits} digits are enough to see the commit as anonymous`
  }
  return undefined
}

async function findHidden(forge: Forge): Promise<string | undefined> {
  const stranger = await forge.user('stranger')
  const hidden = forge.name('hidden')
  await forge.must(forge.admin, 'POST', '/api/v1/orgs', { username: hidden, visibility: 'private' })
  const person = await forge.user('person', { visibility: 'private' })
  const none = forge.name('nobody')
  const migration = (owner: string) => ({
    clone_addr: 'http://127.0.0.1:1/x',
    repo_name: 'z',
    repo_owner: owner,
  })
  const asked = [
    ...['', '/blocks', '/hooks', '/teams', '/members'].map(
      (path) => [undefined, 'GET', `/orgs/NAME${path}`] as const,
    ),
    ...['/blocks', '/hooks', '/teams'].map((path) => [stranger, 'GET', `/orgs/NAME${path}`] as const),
    [undefined, 'DELETE', '/orgs/NAME'] as const,
    [stranger, 'POST', '/repos/migrate'] as const,
  ]
  const seen: string[] = []
  for (const [who, method, path] of asked) {
    const ask = async (name: string) => {
      const body = method === 'POST' ? migration(name) : undefined
      return (await forge.call(who, method, `/api/v1${path.replace('NAME', name)}`, body)).status
    }
    const [there, absent] = [await ask(hidden), await ask(none)]
    if (there !== absent) seen.push(`${method} ${path} ${there} or ${absent}`)
  }
  const block = async (name: string) =>
    (await forge.call(stranger, 'PUT', `/api/v1/user/blocks/${name}`)).status
  const [there, absent] = [await block(person.name), await block(none)]
  if (there !== absent) seen.push(`PUT /user/blocks/NAME ${there} or ${absent}`)
  return seen.length === 0 ? undefined : `there or not: ${seen.join('; ')}`
}

async function findTopics(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'closed', { private: true })
  const topic = forge.name('projectx')
  await forge.must(ann, 'PUT', `/api/v1/repos/${repository}/topics`, { topics: [topic] })
  const stranger = await forge.user('stranger')
  for (const who of [undefined, stranger]) {
    const { text } = await forge.call(who, 'GET', `/api/v1/topics/search?q=${topic}`)
    if (text.includes(topic))
      return `${who === undefined ? 'anonymous' : 'a stranger'} is shown: ${text.slice(0, 120)}`
  }
  return undefined
}

/** Access is checked when the request begins; the rest of its body arrives after the parent was made private. */
async function forkWithHeldBody(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const eve = await forge.user('eve')
  const parent = await forge.repository(ann, 'open')
  const path = `/api/v1/repos/${parent}/forks`
  const held = hold(forge.base, { who: eve, method: 'POST', path }, Buffer.from('{}'), 2)
  await sleep(2_000)
  await forge.must(ann, 'PATCH', `/api/v1/repos/${parent}`, { private: true })
  await addFile(forge, ann, parent, 'secret.txt')
  const { status } = await held.finish()
  const fork = parent.replace(ann.name, eve.name)
  const read = await forge.call(undefined, 'GET', `/api/v1/repos/${fork}/raw/secret.txt`)
  if (read.text === SECRET) return `the fork was answered ${status}, and anonymous reads ${read.text}`
  const byEve = await forge.call(eve, 'GET', `/api/v1/repos/${fork}/raw/secret.txt`)
  return byEve.text === SECRET
    ? `the fork was answered ${status}, and its owner reads ${byEve.text}`
    : undefined
}

async function forkOutOfPrivateOrganization(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const organization = forge.name('closed')
  await forge.must(forge.admin, 'POST', '/api/v1/orgs', { username: organization, visibility: 'private' })
  const readers = {
    name: 'readers',
    permission: 'read',
    units: ['repo.code'],
    includes_all_repositories: true,
  }
  const { json: team } = await forge.must(forge.admin, 'POST', `/api/v1/orgs/${organization}/teams`, readers)
  await forge.must(forge.admin, 'PUT', `/api/v1/teams/${(team as { id: number }).id}/members/${eve.name}`)
  await forge.must(forge.admin, 'POST', `/api/v1/orgs/${organization}/repos`, {
    name: 'plan',
    auto_init: true,
  })
  await addFile(forge, forge.admin, `${organization}/plan`, 'secret.txt')
  const fork = await forge.call(eve, 'POST', `/api/v1/repos/${organization}/plan/forks`, {})
  const patch = await forge.call(eve, 'PATCH', `/api/v1/repos/${eve.name}/plan`, { private: false })
  const read = await forge.call(undefined, 'GET', `/api/v1/repos/${eve.name}/plan/raw/secret.txt`)
  return read.text === SECRET
    ? `fork ${fork.status}, made public ${patch.status}, anonymous reads ${read.text}`
    : undefined
}

/** Only signed-in users see a limited owner. */
async function forkFromLimitedOwner(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann', { visibility: 'limited' })
  const bob = await forge.user('bob')
  const parent = await forge.repository(ann, 'members')
  await addFile(forge, ann, parent, 'secret.txt')
  const closed = await forge.call(undefined, 'GET', `/api/v1/repos/${parent}`)
  if (closed.status < 400) throw new Error('the parent is open to anonymous')
  const { status } = await forge.call(bob, 'POST', `/api/v1/repos/${parent}/forks`, {})
  const fork = parent.replace(ann.name, bob.name)
  const read = await forge.call(undefined, 'GET', `/api/v1/repos/${fork}/raw/secret.txt`)
  if (read.text === SECRET) return `fork ${status}, anonymous reads ${read.text}`
  await forge.call(bob, 'PATCH', `/api/v1/repos/${fork}`, { private: false })
  const again = await forge.call(undefined, 'GET', `/api/v1/repos/${fork}/raw/secret.txt`)
  return again.text === SECRET ? `made public by its owner, anonymous reads ${again.text}` : undefined
}

async function addFile(forge: Forge, who: Person, repository: string, name: string): Promise<void> {
  const body = { content: base64(SECRET), message: 'secret' }
  await forge.must(who, 'POST', `/api/v1/repos/${repository}/contents/${name}`, body)
}
