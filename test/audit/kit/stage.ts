/**
 * What the specification assumes to exist: users, organizations, a team, repositories. It is created by routes that the
 * specification does not describe, so none of it is a demand.
 */
import type { Audit } from './audit.ts'
import { type Json, PASSWORD } from './client.ts'

export interface Stage {
  /** Owns everything without another named owner. */
  readonly alice: string
  /** In the team of the organization, with write access. */
  readonly bob: string
  /** Unrelated user. */
  readonly carol: string
  readonly dave: string
  readonly org: string
  /** Dave's organization. */
  readonly other: string
  readonly team: Json
  /** Private, owned by alice. */
  readonly hidden: Json
  /** In the archived repository `old`. */
  readonly archivedIssue: Json
  readonly archivedProject: Json
  readonly makeUser: (name: string, facts?: object) => Promise<Json>
  readonly makeRepo: (owner: string, name: string, facts?: object) => Promise<Json>
  readonly makeIssue: (place: string, title: string, as: string, facts?: object) => Promise<Json>
  readonly addFile: (place: string, path: string, text: string, as: string, facts?: object) => Promise<Json>
  /** A branch with one more file, and its pull request. */
  readonly openPull: (place: string, branch: string, as: string, facts?: object) => Promise<Json>
  readonly makeToken: (user: string, scopes: readonly string[]) => Promise<string>
}

const UNITS = ['code', 'issues', 'pulls', 'projects', 'actions', 'wiki', 'releases'].map((it) => `repo.${it}`)

type Makers = Pick<Stage, 'makeUser' | 'makeRepo' | 'makeIssue' | 'addFile' | 'openPull' | 'makeToken'>

export async function prepareStage(audit: Audit): Promise<Stage> {
  const { request, must, suffix } = audit
  const makers = makersOf(audit)
  const { makeUser, makeRepo, makeIssue } = makers
  const named = (stem: string) => `${stem}-${suffix}`
  const [alice, bob, carol, dave] = [named('alice'), named('bob'), named('carol'), named('dave')]
  const [org, other] = [named('acme'), named('other')]
  for (const name of [alice, bob, carol, dave]) await makeUser(name)
  const owned = { visibility: 'public' }
  await must(request('POST', '/orgs', { as: alice, body: { username: org, ...owned } }))
  await must(request('POST', '/orgs', { as: dave, body: { username: other, ...owned } }))
  const facts = { name: 'devs', permission: 'write', units: UNITS, includes_all_repositories: true }
  const team = await must(request('POST', `/orgs/${org}/teams`, { as: alice, body: facts }))
  await must(request('PUT', `/teams/${team.id}/members/${bob}`, { as: alice }))
  const main = { name: 'main', auto_init: true, default_branch: 'main', description: 'main repo' }
  await must(request('POST', `/orgs/${org}/repos`, { as: alice, body: main }))
  const hidden = await makeRepo(alice, 'hidden', { private: true })
  await makeRepo(alice, 'open')
  await makeRepo(alice, 'void', { auto_init: false })
  const old = await makeRepo(alice, 'old')
  const archivedIssue = await makeIssue(old.full_name, 'before', alice)
  const board = { as: alice, body: { title: 'before' } }
  const archivedProject = await must(request('POST', `/repos/${old.full_name}/projects`, board))
  await must(request('PATCH', `/repos/${old.full_name}`, { as: alice, body: { archived: true } }))
  return { alice, bob, carol, dave, org, other, team, hidden, archivedIssue, archivedProject, ...makers }
}

function makersOf({ request, must }: Audit): Makers {
  let tokens = 0
  const addFile: Stage['addFile'] = (place, path, text, as, facts = {}) => {
    const content = Buffer.from(text).toString('base64')
    const body = { content, message: `add ${path}`, ...facts }
    return must(request('POST', `/repos/${place}/contents/${path}`, { as, body }))
  }
  return {
    addFile,
    makeUser: (name, facts = {}) => {
      const email = `${name}@example.test`
      const body = { username: name, email, password: PASSWORD, must_change_password: false, ...facts }
      return must(request('POST', '/admin/users', { body }))
    },
    makeRepo: (owner, name, facts = {}) => {
      const body = { name, auto_init: true, default_branch: 'main', ...facts }
      return must(request('POST', '/user/repos', { as: owner, body }))
    },
    makeIssue: (place, title, as, facts = {}) =>
      must(request('POST', `/repos/${place}/issues`, { as, body: { title, ...facts } })),
    openPull: async (place, branch, as, facts = {}) => {
      await addFile(place, `f-${branch}.txt`, `hello ${branch}\n`, as, { branch: 'main', new_branch: branch })
      const body = { title: `Pull ${branch}`, head: branch, base: 'main', ...facts }
      return must(request('POST', `/repos/${place}/pulls`, { as, body }))
    },
    makeToken: async (user, scopes) => {
      tokens += 1
      const body = { name: `token ${tokens}`, scopes }
      const as = user
      return (await must(request('POST', `/users/${user}/tokens`, { as, body }))).sha1
    },
  }
}
