/** Pushes and merges in flight: a branch gets only what its rules, its owner and its reviewers allow. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './kit/attack.ts'
import { base64, type Person } from './kit/calls.ts'
import { happens, paused, storePid, until } from './kit/faults.ts'
import type { Forge } from './kit/forge.ts'
import { clone, commitFile, git, mustGit, type Ran } from './kit/git.ts'

export const whatLands: readonly Attack[] = [
  {
    name: 'a-scheduled-merge-of-another-head',
    holds:
      'a scheduled merge does not land a commit that a stranger pushed while the pull request was closed',
    seconds: 180,
    on: 's3',
    isInCi: true,
    run: changeHeadOfScheduledMerge,
  },
  {
    name: 'a-push-beside-a-new-rule',
    holds: 'a push that is in flight when its branch becomes protected does not land on it',
    seconds: 120,
    on: 's3',
    isInCi: true,
    run: pushBesideNewRule,
  },
  {
    name: 'a-file-beside-a-new-rule',
    holds: 'a file that is being written when its branch becomes protected is not written',
    seconds: 120,
    on: 's3',
    isInCi: true,
    run: writeBesideNewRule,
  },
  {
    name: 'a-freed-name',
    holds: 'the new owner of a login does not push to the pull requests of its former owner',
    seconds: 90,
    on: 's3',
    isInCi: true,
    run: pushByFreedName,
  },
  {
    name: 'a-message-that-blocks-the-queue',
    holds: 'a pull request that cannot be built leaves the merge queue, and those behind it land',
    seconds: 120,
    on: 's3',
    isInCi: true,
    run: blockQueue,
  },
  {
    name: 'a-fork-that-floods-its-base',
    holds:
      'the owner can push while a stranger pushes to the branches of a fork that pull requests come from',
    seconds: 420,
    on: 's3',
    // Too long for CI: 70 pull requests have to be opened first.
    run: floodBase,
  },
]

interface Pull {
  readonly number: number
  readonly merged: boolean
  readonly head: { readonly sha: string }
  readonly user: { readonly login: string; readonly id: number }
}

async function openPull(forge: Forge, who: Person, repository: string, branch: string): Promise<Pull> {
  const body = { title: branch, head: `${who.name}:${branch}`, base: 'main' }
  return (await forge.must(who, 'POST', `/api/v1/repos/${repository}/pulls`, body)).json as Pull
}

const TRIES = 5

async function changeHeadOfScheduledMerge(forge: Forge): Promise<string | undefined> {
  const [ann, eve] = [await forge.user('ann'), await forge.user('eve')]
  const repository = await forge.repository(ann, 'auto')
  const contexts = { enable_status_check: true, status_check_contexts: ['ci'] }
  const rule = { rule_name: 'main', enable_push: true, ...contexts }
  await forge.must(ann, 'POST', `/api/v1/repos/${repository}/branch_protections`, rule)
  const folder = await clone(forge, eve, await forge.fork(eve, repository))
  for (let i = 0; i < TRIES; i++) {
    const seen = await pushAfterSchedule(forge, { ann, eve, repository, folder }, i)
    if (seen !== undefined) return `try ${i}: ${seen}`
  }
  return undefined
}

/** The head moves when the pull request is reopened; before that, its old head is scheduled for merge. */
async function pushAfterSchedule(
  forge: Forge,
  { ann, eve, repository, folder }: { ann: Person; eve: Person; repository: string; folder: string },
  i: number,
): Promise<string | undefined> {
  const topic = `topic${i}`
  await mustGit(folder, 'checkout', '-q', '-B', topic, 'origin/main')
  const good = await commitFile(folder, `good${i}.txt`, 'good')
  await mustGit(folder, 'push', '-q', 'origin', topic)
  const { number } = await openPull(forge, eve, repository, topic)
  const at = `/api/v1/repos/${repository}/pulls/${number}`
  const pull = async () => (await forge.must(ann, 'GET', at)).json as Pull
  await forge.must(ann, 'PATCH', at, { state: 'closed' })
  const evil = await commitFile(folder, `evil${i}.txt`, 'evil')
  await mustGit(folder, 'push', '-q', 'origin', topic)
  const body = { Do: 'merge', merge_when_checks_succeed: true, head_commit_id: good }
  await forge.must(ann, 'PATCH', at, { state: 'open' })
  const scheduled = await forge.call(ann, 'POST', `${at}/merge`, body, { base: forge.otherBase })
  // Otherwise the head had already moved, and the merge was refused because of `head_commit_id`.
  if (scheduled.status !== 201) return undefined
  await happens(async () => (await pull()).head.sha === evil, 30_000)
  await sleep(500)
  const shown = await pull()
  const status = { context: 'ci', state: 'success' }
  for (const sha of [good, evil])
    await forge.call(ann, 'POST', `/api/v1/repos/${repository}/statuses/${sha}`, status)
  const isMerged = await happens(async () => (await pull()).merged, 8_000)
  const file = await forge.call(ann, 'GET', `/api/v1/repos/${repository}/contents/evil${i}.txt`)
  if (!isMerged || file.status !== 200) return undefined
  const versions = (await forge.must(ann, 'GET', `${at}/versions`)).json as { pusher?: { login: string } }[]
  const pusher = versions.at(-1)?.pusher?.login
  return `ann scheduled head ${good.slice(0, 8)} (head_commit_id), shown head then ${shown.head.sha.slice(0, 8)}; ${evil.slice(0, 8)} landed, pushed by eve while it was closed; version 2 names ${pusher} as pusher`
}

/** Packs that were announced and are being uploaded. */
const announced = (forge: Forge) => forge.sql('select count(*) from git_pack_unnamed')

/** A repository, its owner, and a collaborator with write access. */
async function openGuarded(forge: Forge): Promise<{ ann: Person; wes: Person; repository: string }> {
  const [ann, wes] = [await forge.user('ann'), await forge.user('wes')]
  const repository = await forge.repository(ann, 'guarded')
  const path = `/api/v1/repos/${repository}/collaborators/${wes.name}`
  await forge.must(ann, 'PUT', path, { permission: 'write' })
  return { ann, wes, repository }
}

async function pushBesideNewRule(forge: Forge): Promise<string | undefined> {
  const { ann, wes, repository } = await openGuarded(forge)
  const folder = await clone(forge, wes, repository)
  const pushed = await commitFile(folder, 'late.txt', 'late')
  const push = () => git(folder, ['push', '-q', 'origin', 'HEAD:main'])
  const before = await announced(forge)
  let pushing: Promise<Ran>
  {
    using _ = paused(storePid(forge))
    pushing = push()
    // The rules have been checked; the pack is being uploaded to a slow store.
    await until('the pack is announced', async () => (await announced(forge)) !== before, 40_000)
    const rule = { rule_name: 'main', enable_push: false, required_approvals: 1 }
    const path = `/api/v1/repos/${repository}/branch_protections`
    await forge.must(ann, 'POST', path, rule, { base: forge.otherBase })
    await sleep(500)
  }
  const { code, said } = await pushing
  if ((await forge.tip(ann, repository)) === pushed)
    return `the rule was made; afterwards the push of a writer who may not push landed on main, code ${code}`
  if (code === 0) throw new Error(`the push was acknowledged, but main is not there: ${said}`)
  if ((await push()).code === 0) throw new Error('the rule does not refuse this push at all')
  return undefined
}

async function writeBesideNewRule(forge: Forge): Promise<string | undefined> {
  const { ann, wes, repository } = await openGuarded(forge)
  const tip = await forge.tip(ann, repository)
  const before = await announced(forge)
  // The row of the repository is locked, as by any other push that is slow to commit.
  const storage = await storageOf(forge, repository)
  const lock = `select 1 from git_storage where id = ${storage} for no key update`
  const held = forge.sql(`begin; ${lock}; select pg_sleep(6); commit`)
  await sleep(500)
  const body = { content: base64('late'), branch: 'main', message: 'late' }
  const writing = forge.call(wes, 'POST', `/api/v1/repos/${repository}/contents/late.txt`, body)
  await until('the pack is announced', async () => (await announced(forge)) !== before, 5_000)
  await sleep(1_500)
  const rule = { rule_name: 'main', enable_push: false }
  const path = `/api/v1/repos/${repository}/branch_protections`
  await forge.must(ann, 'POST', path, rule, { base: forge.otherBase })
  await held
  const { status } = await writing
  return (await forge.tip(ann, repository)) === tip
    ? undefined
    : `the rule was made; afterwards POST contents was answered ${status} and main moved`
}

function storageOf(forge: Forge, repository: string): Promise<string> {
  const [owner, name] = repository.split('/')
  return forge.sql(`select storage_id from repository join account on account.id = owner_id
    where repository.name = '${name}' and login = '${owner}'`)
}

async function pushByFreedName(forge: Forge): Promise<string | undefined> {
  const [own, ann, eve] = [await forge.user('own'), await forge.user('ann'), await forge.user('eve')]
  const repository = await forge.repository(own, 'agit')
  const folder = await clone(forge, ann, repository)
  const good = await commitFile(folder, 'good.txt', 'good')
  await mustGit(folder, 'push', '-q', 'origin', 'HEAD:refs/for/main/topic')
  const pulls = `/api/v1/repos/${repository}/pulls`
  const [opened] = (await forge.must(own, 'GET', pulls)).json as Pull[]
  if (opened === undefined) throw new Error('no pull request was opened')
  const at = `${pulls}/${opened.number}`
  await forge.must(own, 'POST', `${at}/reviews`, { event: 'APPROVED', body: 'fine' })
  const rename = ({ name }: Person, to: string) =>
    forge.call(forge.admin, 'POST', `/api/v1/admin/users/${name}/rename`, { new_username: to })
  const freed = await rename(ann, `${ann.name}-new`)
  if (freed.status >= 300) throw new Error(`the name does not become free: ${freed.status}`)
  if ((await rename(eve, ann.name)).status >= 300) return undefined
  const theirs = await clone(forge, { name: ann.name, password: eve.password }, repository)
  const evil = await commitFile(theirs, 'evil.txt', 'evil')
  const force = ['push', '-q', '-o', 'force-push=true', 'origin', 'HEAD:refs/for/main/topic']
  const { code } = await git(theirs, force)
  const now = (await forge.must(own, 'GET', at)).json as Pull
  return now.head.sha === evil
    ? `pull request ${now.number} by ${now.user.login} (id ${now.user.id}) had head ${good.slice(0, 8)}; eve, who took the name ${ann.name}, pushed ${evil.slice(0, 8)} to it (code ${code})`
    : undefined
}

const QUEUE_S = 80

async function blockQueue(forge: Forge): Promise<string | undefined> {
  const [own, eve] = [await forge.user('own'), await forge.user('eve')]
  const repository = await forge.repository(own, 'queue')
  const at = `/api/v1/repos/${repository}`
  const folder = await clone(forge, eve, await forge.fork(eve, repository))
  const message = join(forge.folder(), 'message')
  const numbers: number[] = []
  for (const [branch, words] of [
    ['long', '漢'.repeat(55_000)],
    ['plain', 'nothing special'],
  ] as const) {
    await mustGit(folder, 'checkout', '-q', '-B', branch, 'origin/main')
    await commitFile(folder, `${branch}.txt`, branch)
    writeFileSync(message, `${branch}\n\n${words}\n`)
    await mustGit(folder, 'commit', '-q', '--amend', '-F', message)
    await mustGit(folder, 'push', '-q', 'origin', branch)
    numbers.push((await openPull(forge, eve, repository, branch)).number)
  }
  for (const number of numbers)
    await forge.must(own, 'POST', `${at}/pulls/${number}/queue`, { Do: 'squash' }, { base: forge.otherBase })
  const second = `${at}/pulls/${numbers[1]}`
  const hasLanded = async () => ((await forge.must(own, 'GET', second)).json as Pull).merged
  if (await happens(hasLanded, QUEUE_S * 1000, 1_000)) return undefined
  const failures = await forge.sql(`select max(attempts) || ' attempts: ' || max(left(error, 80))
    from job where kind = 'merges-queue'`)
  const waiting = (await forge.must(own, 'GET', `${at}/merge_queue`)).json as unknown[]
  return `${QUEUE_S} s later #${numbers[1]} has not landed, ${waiting.length} wait; ${failures}`
}

const PULLS = 70
const CALM_MS_MAX = 90_000

async function floodBase(forge: Forge): Promise<string | undefined> {
  const [own, eve] = [await forge.user('own'), await forge.user('eve')]
  const repository = await forge.repository(own, 'base')
  const folder = await clone(forge, eve, await forge.fork(eve, repository))
  const branches = Array.from({ length: PULLS }, (_, i) => `b${i}`)
  const first = await moveAll(folder, branches)
  if (first.code !== 0) throw new Error(first.said)
  let opened = 0
  for (const branch of branches) {
    const isOpen = await openPull(forge, eve, repository, branch).catch(() => undefined)
    if (isOpen !== undefined) opened += 1
    else await sleep(1_000)
  }
  if (opened === 0) throw new Error('no pull request was opened')
  const storage = await storageOf(forge, repository)
  const countPacks = async () =>
    Number(
      await forge.sql(
        `select count(*) from git_storage_pack where storage_id = ${storage} and retired_at is null`,
      ),
    )
  const owner = new Pusher(await clone(forge, own, repository, forge.otherBase), countPacks)
  const pushing = owner.pushUntilOver()
  try {
    await moveAll(folder, branches)
    await owner.untilCalm()
  } finally {
    owner.isOver = true
  }
  await pushing
  if (owner.tried === 0) throw new Error('the owner never pushed')
  return owner.refused === 0
    ? undefined
    : `${opened} pull requests; up to ${owner.packs} packs in the base; ${owner.refused} of ${owner.tried} pushes of the owner were refused: ${[...owner.said].join(' | ')}`
}

/** One commit for each branch, pushed all at once. */
async function moveAll(folder: string, branches: readonly string[]): Promise<Ran> {
  await commitFile(folder, 'f', String(Math.random()))
  for (const branch of branches) {
    const message = `${branch} ${Math.random()}`
    const oid = await mustGit(folder, 'commit-tree', '-m', message, '-p', 'origin/main', 'HEAD^{tree}')
    await mustGit(folder, 'update-ref', `refs/heads/${branch}`, oid)
  }
  return git(folder, ['push', '-qf', 'origin', ...branches])
}

/** Pushes small commits to main, and counts refusals. */
class Pusher {
  tried = 0
  refused = 0
  packs = 0
  isOver = false
  readonly said = new Set<string>()
  readonly #folder: string
  readonly #countPacks: () => Promise<number>

  constructor(folder: string, countPacks: () => Promise<number>) {
    this.#folder = folder
    this.#countPacks = countPacks
  }

  async pushUntilOver(): Promise<void> {
    for (; !this.isOver; await sleep(300)) {
      await commitFile(this.#folder, 'own', String(Math.random()))
      const { code, said } = await git(this.#folder, ['push', '-q', 'origin', 'HEAD:main'])
      this.tried += 1
      if (code !== 0) {
        this.refused += 1
        this.said.add(/^.*(?:remote|reject|error).*$/m.exec(said)?.[0].slice(0, 120) ?? '')
      }
      this.packs = Math.max(this.packs, await this.#countPacks())
    }
  }

  /** Until no push was refused for six seconds. */
  async untilCalm(): Promise<void> {
    const end = performance.now() + CALM_MS_MAX
    for (let calm = 0, last = this.refused; calm < 4 && performance.now() < end; last = this.refused) {
      await sleep(1_500)
      calm = this.refused === last ? calm + 1 : 0
    }
  }
}
