/** An organization with four repositories that have some of everything, and users with every kind of access to them. */
import assert from 'node:assert/strict'
import type { Forge } from '#testing'
import { checkPull } from '../../../src/domains/review/pulls/checks/check-pull.ts'

/** The external ones are links, which can only be followed. */
export const UNITS = [
  'code',
  'issues',
  'pulls',
  'releases',
  'wiki',
  'projects',
  'packages',
  'actions',
] as const

/** `open` is public, `shut` is private, `old` is archived and `copy` a mirror, both private. */
export const KINDS = ['open', 'shut', 'old', 'copy'] as const
export type Kind = (typeof KINDS)[number]

export const ORG = 'smithy'
/** Owns the organization, and restores what others were allowed to change. */
export const OWNER = 'ann'
const REVIEWER = 'rex'

/** A repository, and the numbers of its objects. */
export interface Place {
  readonly path: string
  readonly issue: number
  readonly pull: number
  /** A pull request with a conflict. */
  readonly clash: number
  readonly milestone: number
  readonly release: number
  readonly project: number
  readonly run: number
  readonly job: number
  readonly commit: string
  readonly wikiCommit: string
}

export interface Person {
  readonly name: string
  /** Null for anonymous. */
  readonly login: string | null
  readonly looksAt: readonly Kind[]
}

export const PEOPLE: readonly Person[] = [
  { name: 'nobody', login: null, looksAt: ['open'] },
  { name: 'a stranger', login: 'sam', looksAt: ['open', 'shut'] },
  { name: 'somebody who is blocked', login: 'eve', looksAt: ['open'] },
  ...UNITS.map((unit): Person => ({ name: `a reader of ${unit}`, login: `r-${unit}`, looksAt: ['shut'] })),
  ...UNITS.map(
    (unit): Person => ({ name: `a writer of ${unit}`, login: `w-${unit}`, looksAt: looksOf(unit) }),
  ),
  { name: 'an administrator of the repository', login: 'kim', looksAt: ['shut', 'old', 'copy'] },
  { name: 'an administrator of the site', login: 'root', looksAt: ['shut'] },
]

/** Content kept in git is what users cannot write in a mirror. */
function looksOf(unit: (typeof UNITS)[number]): readonly Kind[] {
  return unit === 'code' || unit === 'wiki' ? ['shut', 'old', 'copy'] : ['shut']
}

const WORKFLOW = `on: workflow_dispatch
jobs:
  check:
    runs-on: linux
    steps:
      - run: make check
`

export class Scene {
  readonly forge: Forge
  readonly places = new Map<Kind, Place>()

  constructor(forge: Forge) {
    this.forge = forge
  }

  static async make(forge: Forge): Promise<Scene> {
    const scene = new Scene(forge)
    await forge.person(OWNER)
    await forge.person(REVIEWER)
    for (const { login } of PEOPLE)
      if (login !== null) await forge.person(login, { is_admin: login === 'root' })
    await scene.done('POST', '/orgs', { username: ORG })
    for (const unit of UNITS) for (const level of ['read', 'write']) await scene.addTeam(unit, level)
    for (const kind of KINDS) scene.places.set(kind, await scene.addPlace(kind))
    await scene.done('PUT', `/orgs/${ORG}/blocks/eve`)
    return scene
  }

  /** An operation of the owner that must succeed. */
  async done(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) {
    const reply = await this.forge.call(OWNER, method, path, body)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  async addTeam(unit: string, level: string): Promise<void> {
    const login = `${level[0]}-${unit}`
    const { id } = await this.done('POST', `/orgs/${ORG}/teams`, {
      name: login,
      permission: 'none',
      units_map: { [`repo.${unit}`]: level },
      includes_all_repositories: true,
    })
    await this.done('PUT', `/teams/${id}/members/${login}`)
  }

  async addPlace(kind: Kind): Promise<Place> {
    const path = `${ORG}/${kind}`
    const at = `/repos/${path}`
    const { id } = await this.done('POST', `/orgs/${ORG}/repos`, {
      name: kind,
      private: kind !== 'open',
      auto_init: true,
      default_branch: 'main',
    })
    await this.done('PUT', `${at}/collaborators/kim`, { permission: 'admin' })
    if (kind !== 'open') await this.done('PUT', `${at}/collaborators/${REVIEWER}`, { permission: 'read' })
    await this.done('POST', `${at}/contents/.gitea/workflows/check.yml`, { content: coded(WORKFLOW) })
    for (const branch of ['topic', 'other'])
      await this.done('POST', `${at}/contents/${branch}.txt`, {
        content: coded(branch),
        new_branch: branch,
      })
    const { number: issue } = await this.done('POST', `${at}/issues`, { title: 'Cold iron', body: 'It is.' })
    const { number: pull } = await this.done('POST', `${at}/pulls`, {
      title: 'Warm it',
      head: 'topic',
      base: 'main',
    })
    const clash = await this.addClash(at)
    const commit = await this.moveMain(path, pull, clash)
    const { id: milestone } = await this.done('POST', `${at}/milestones`, { title: 'Spring' })
    await this.done('POST', `${at}/labels`, { name: 'hot', color: '#ff0000' })
    const { id: release } = await this.done('POST', `${at}/releases`, { tag_name: 'v1', name: 'One' })
    await this.done('POST', `${at}/wiki/new`, { title: 'Home', content_base64: coded('Welcome') })
    const revisions = await this.done('GET', `${at}/wiki/revisions/Home`)
    const { id: project } = await this.done('POST', `${at}/projects`, { title: 'Board' })
    const { workflow_run_id: run } = await this.done(
      'POST',
      `${at}/actions/workflows/check.yml/dispatches?return_run_details=true`,
      { ref: 'main' },
    )
    await this.done('POST', `${at}/actions/runs/${run}/cancel`)
    const { jobs } = await this.done('GET', `${at}/actions/runs/${run}/jobs`)
    if (kind === 'old') await this.done('PATCH', at, { archived: true })
    if (kind === 'copy')
      await this.forge.db.updateTable('repository').set({ is_mirror: true }).where('id', '=', id).execute()
    const numbers = { issue, pull, clash, milestone, release, project, run, job: jobs[0].id }
    return { path, commit, wikiCommit: revisions.commits[0].sha, ...numbers }
  }

  /** A pull request with a conflict. */
  async addClash(at: string): Promise<number> {
    for (const change of [{ new_branch: 'clash' }, {}])
      await this.done('POST', `${at}/contents/clash.txt`, {
        content: coded(JSON.stringify(change)),
        ...change,
      })
    return (await this.done('POST', `${at}/pulls`, { title: 'Clash', head: 'clash', base: 'main' })).number
  }

  /** Puts the pull requests behind their base, and triggers the mergeability checks, which jobs do later. */
  async moveMain(path: string, ...pulls: readonly number[]): Promise<string> {
    const name = `${Math.random()}`.slice(2)
    const { commit } = await this.done('POST', `/repos/${path}/contents/${name}.txt`, {
      content: coded(name),
    })
    for (const pull of pulls) {
      const { id } = await this.done('GET', `/repos/${path}/issues/${pull}`)
      await checkPull(this.forge.ctx, id)
    }
    return commit.sha
  }
}

export function coded(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Addresses of the pages of a repository, one or more for each. */
export function addressesOf(place: Place): readonly string[] {
  const { issue, pull, clash, milestone, project, run, job, commit, wikiCommit } = place
  const below = [
    'issues',
    'issues/new',
    'issues/new/choose',
    `issues/${issue}`,
    `issues/${issue}/content-history`,
    'labels',
    'milestones',
    'milestones/new',
    `milestone/${milestone}`,
    `milestones/${milestone}/edit`,
    'pulls',
    `pulls/${pull}`,
    `pulls/${clash}`,
    `pulls/${clash}/conflicts`,
    `pulls/${pull}/files`,
    `pulls/${pull}/commits`,
    `pulls/${pull}/commits/${commit}`,
    `pulls/${pull}/versions/1..1`,
    'compare',
    'compare/main...other',
    'src/branch/main',
    'src/branch/main/README.md',
    'tree/main',
    'blob/main/README.md',
    'blame/branch/main/README.md',
    'commits/branch/main',
    `commit/${commit}`,
    'branches',
    'tags',
    'find/branch/main',
    'search?q=a',
    '_edit/main/README.md',
    '_fork/main/README.md',
    '_new/main',
    '_upload/main',
    '_delete/main/README.md',
    `_cherrypick/${commit}`,
    'releases',
    'releases/new',
    'releases/latest',
    'releases/tag/v1',
    'releases/edit/v1',
    'wiki',
    'wiki/Home',
    'wiki/Home?action=_edit',
    'wiki/_new',
    'wiki/_pages',
    `wiki/commit/${wikiCommit}`,
    'projects',
    'projects/new',
    `projects/${project}`,
    'actions',
    'actions?workflow=check.yml',
    `actions/runs/${run}`,
    `actions/runs/${run}/jobs/${job}`,
    'actions/artifacts/1',
    'packages',
    'activity',
    'stars',
    'watchers',
    'forks',
    'fork',
    'settings',
    'settings/collaboration',
    'settings/interaction_limits',
    'settings/branches',
    'settings/branches/edit',
    'settings/tags',
    'settings/hooks',
    'settings/hooks/new',
    'settings/hooks/1',
    'settings/hooks/1/deliveries/1',
    'settings/keys',
    'settings/mirrors',
    'settings/actions/secrets',
    'settings/actions/variables',
    'settings/actions/runners',
  ]
  return ['', ...below.map((it) => `/${it}`)].map((it) => `/${place.path}${it}`)
}
