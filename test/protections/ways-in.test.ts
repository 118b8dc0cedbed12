/**
 * Branch protections cannot be bypassed: rules × users × every way to move a branch. Over HTTP and SSH with the real git,
 * by deploy keys, by the API, by merging, by updating a branch, by renaming and deleting it.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient } from '#testing'
import { SshForge } from '#testing/ssh'

type Person = 'ann' | 'wes' | 'zoe' | 'eve'
type Way = (as: Person) => Promise<void>

const PEOPLE: readonly Person[] = ['ann', 'wes', 'zoe', 'eve']
const WRITERS: readonly Person[] = ['ann', 'wes', 'zoe']

/** A rule, and who may move the branch by pushing, by a deploy key, and by merging. Ann owns it, eve only reads. */
const RULES: readonly {
  readonly what: string
  readonly rule: object | null
  readonly push: readonly Person[]
  readonly byKey: boolean
  readonly merge: readonly Person[]
}[] = [
  { what: 'no rule', rule: null, push: WRITERS, byKey: true, merge: WRITERS },
  { what: 'nobody pushes', rule: {}, push: [], byKey: false, merge: WRITERS },
  {
    what: 'wes alone pushes',
    rule: { enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['wes'] },
    push: ['wes'],
    byKey: false,
    merge: WRITERS,
  },
  {
    what: 'wes alone merges',
    rule: { enable_merge_whitelist: true, merge_whitelist_usernames: ['wes'] },
    push: [],
    byKey: false,
    merge: ['wes'],
  },
  { what: 'approvals are needed', rule: { required_approvals: 1 }, push: [], byKey: false, merge: [] },
  {
    what: 'checks are needed',
    rule: { enable_status_check: true, status_check_contexts: ['ci'] },
    push: [],
    byKey: false,
    merge: [],
  },
  {
    what: 'files are protected',
    rule: { enable_push: true, protected_file_patterns: '*.md' },
    push: [],
    byKey: false,
    merge: [],
  },
  {
    what: 'signatures are needed',
    rule: { enable_push: true, require_signed_commits: true },
    push: [],
    byKey: false,
    merge: [],
  },
]

let sshd: SshForge
let forge: Forge
before(async () => {
  sshd = await SshForge.open()
  forge = sshd.forge
  for (const login of PEOPLE) {
    await forge.person(login)
    await forge.call(login, 'POST', '/user/keys', { title: login, key: await sshd.makeKey(login) })
  }
})
after(async () => {
  await sshd[Symbol.asyncDispose]()
})

const base64 = (text: string) => Buffer.from(text).toString('base64')
const sshOf = (key: string) => `core.sshCommand=ssh ${sshd.flags(key).join(' ')}`

/** A repository with a protected branch, and the ways to move it. Each tries to add its own file. */
class Place {
  readonly root: string
  private readonly name: string
  private readonly git: GitClient
  private readonly token: string
  private files = 0

  private constructor(name: string, git: GitClient, token: string) {
    this.name = name
    this.root = `/repos/ann/${name}`
    this.git = git
    this.token = token
  }

  static async open(name: string, rule: object | null): Promise<Place> {
    const root = `/repos/ann/${name}`
    await forge.call('ann', 'POST', '/user/repos', { name, auto_init: true, default_branch: 'main' })
    for (const login of ['wes', 'zoe'])
      await forge.call('ann', 'PUT', `${root}/collaborators/${login}`, { permission: 'write' })
    const key = { title: 'key', key: await sshd.makeKey(`key-${name}`), read_only: false }
    assert.equal((await forge.call('ann', 'POST', `${root}/keys`, key)).status, 201)
    const robot = { title: 'robot', read_only: false }
    const { token } = (await forge.call('ann', 'POST', `${root}/keys/tokens`, robot)).body
    const branch = { new_branch_name: 'guarded', old_branch_name: 'main' }
    await forge.call('ann', 'POST', `${root}/branches`, branch)
    const place = new Place(name, await GitClient.open(forge, 'ann', `ann/${name}`), token)
    const made =
      rule &&
      (await forge.call('ann', 'POST', `${root}/branch_protections`, { rule_name: 'guarded', ...rule }))
    assert.ok(made === null || made.status === 201)
    return place
  }

  /** The current tip; empty when the branch is gone. */
  async tip(branch = 'guarded'): Promise<string> {
    return (await forge.call('ann', 'GET', `${this.root}/branches/${branch}`)).body?.commit?.id ?? ''
  }

  private async commit(): Promise<void> {
    await this.git.ok('fetch', '--quiet', 'origin')
    await this.git.ok('checkout', '--quiet', '-B', 'work', 'origin/guarded')
    await this.git.commit(`file-${this.files++}.md`, 'more')
  }

  private async push(url: string, ...flags: readonly string[]): Promise<void> {
    await this.commit()
    await this.git.run(...flags, 'push', '--quiet', url, 'HEAD:refs/heads/guarded')
  }

  private http(user: string): string {
    const url = new URL(`${forge.base}/ann/${this.name}.git`)
    url.username = 'x'
    url.password = user
    return url.href
  }

  private get ssh(): string {
    return sshd.urlOf('ann', this.name)
  }

  /** Ways that count as pushing. */
  readonly pushes: Readonly<Record<string, Way>> = {
    'a push over HTTP': (as) => this.push(this.http(forge.tokenOf(as))),
    'a push over SSH': (as) => this.push(this.ssh, '-c', sshOf(as)),
    'a file by the interface': async (as) => {
      const body = { content: base64('more'), message: 'more', branch: 'guarded' }
      await forge.call(as, 'POST', `${this.root}/contents/file-${this.files++}.md`, body)
    },
    'a branch that is set to a commit': async (as) => {
      await this.commit()
      await this.git.ok('push', '--quiet', '--force', 'origin', 'HEAD:refs/heads/scratch')
      const body = { new_commit_id: await this.git.ok('rev-parse', 'HEAD') }
      await forge.call(as, 'PUT', `${this.root}/branches/guarded`, body)
    },
    'a branch that is brought up to date': async (as) => {
      const base = `base-${this.files}`
      const body = { content: base64('more'), message: 'more', branch: 'guarded', new_branch: base }
      await forge.call('ann', 'POST', `${this.root}/contents/file-${this.files++}.md`, body)
      const pull = { title: base, head: 'guarded', base }
      const { number } = (await forge.call('ann', 'POST', `${this.root}/pulls`, pull)).body
      // Without a commit of its own there is nothing to merge, only to update.
      await forge.call(as, 'POST', `${this.root}/pulls/${number}/update`)
    },
  }

  readonly byKeys: Readonly<Record<string, () => Promise<void>>> = {
    'a deploy key': () => this.push(this.ssh, '-c', sshOf(`key-${this.name}`)),
    'a deploy token': () => this.push(this.http(this.token)),
  }

  async merge(as: Person, more: object): Promise<void> {
    const branch = `topic-${this.files}`
    const body = { content: base64('more'), message: 'more', branch: 'guarded', new_branch: branch }
    await forge.call('ann', 'POST', `${this.root}/contents/file-${this.files++}.md`, body)
    const pull = { title: branch, head: branch, base: 'guarded' }
    const { number } = (await forge.call('ann', 'POST', `${this.root}/pulls`, pull)).body
    await forge.call(as, 'POST', `${this.root}/pulls/${number}/merge`, { Do: 'merge', ...more })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.git[Symbol.asyncDispose]()
  }
}

async function moves(place: Place, work: () => Promise<void>): Promise<boolean> {
  const before = await place.tip()
  await work()
  return (await place.tip()) !== before
}

/** An attempt, whether it may succeed, and how it is made. */
type Attempt = readonly [what: string, isAllowed: boolean, go: () => Promise<void>]

function attemptsAt(place: Place, { push, byKey, merge }: (typeof RULES)[number]): Attempt[] {
  const insistent = (['wes', 'zoe'] as const).map((as): Attempt => {
    return [`${as}: a forced merge`, merge.includes(as), () => place.merge(as, { force_merge: true })]
  })
  return [
    ...Object.entries(place.pushes).flatMap(([way, go]) =>
      PEOPLE.map((as): Attempt => [`${as}: ${way}`, push.includes(as), () => go(as)]),
    ),
    ...Object.entries(place.byKeys).map(([way, go]): Attempt => [way, byKey, go]),
    ...PEOPLE.map((as): Attempt => [`${as}: a merge`, merge.includes(as), () => place.merge(as, {})]),
    ...insistent,
  ]
}

for (const [i, row] of RULES.entries())
  test(`${row.what}: the rule holds for every way to move the branch`, { timeout: 300_000 }, async () => {
    await using place = await Place.open(`r${i}`, row.rule)
    const attempts = attemptsAt(place, row)
    const found: string[] = []
    for (const [what, , go] of attempts) if (await moves(place, go)) found.push(what)
    assert.deepEqual(
      found,
      attempts.filter(([, isAllowed]) => isAllowed).map(([what]) => what),
    )
  })

test('a protected branch cannot be deleted, and is renamed only by users who may edit its rule, which follows', async () => {
  await using place = await Place.open('names', { enable_push: true })
  const rename = (as: Person, from: string, name: string) =>
    forge.call(as, 'PATCH', `${place.root}/branches/${from}`, { name })
  for (const as of PEOPLE) {
    await forge.call(as, 'DELETE', `${place.root}/branches/guarded`)
    if (as !== 'ann') await rename(as, 'guarded', `of-${as}`)
  }
  assert.notEqual(await place.tip(), '')
  // A rename to the name of a protected branch is checked like a push to it.
  await forge.call('ann', 'PATCH', `${place.root}/branch_protections/guarded`, { enable_push: false })
  await rename('ann', 'guarded', 'elsewhere')
  assert.deepEqual([await place.tip(), (await place.tip('elsewhere')) !== ''], ['', true])
  const rules = (await forge.call('ann', 'GET', `${place.root}/branch_protections`)).body
  assert.deepEqual(
    rules.map((it: { rule_name: string }) => it.rule_name),
    ['elsewhere'],
  )
  await forge.call('ann', 'POST', `${place.root}/branches`, {
    new_branch_name: 'spare',
    old_branch_name: 'main',
  })
  await forge.call('ann', 'POST', `${place.root}/branch_protections`, { rule_name: 'taken' })
  for (const as of WRITERS) await rename(as, 'spare', 'taken')
  assert.equal(await place.tip('taken'), '')
})
