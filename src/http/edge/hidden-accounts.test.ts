/** Hidden and missing accounts get the same answer from every route, for anonymous and unrelated callers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '#cli'
import type { Method } from '#platform/rest'
import { type Forge, startForge } from '#testing'

let forge: Forge
/** Ids of the owners team and of the repository of the hidden organization. */
let teamId = 0
let repositoryId = 0
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'outbound.allow_private': true } })
  await forge.person('root', { is_admin: true })
  for (const name of ['stranger', 'restricted'])
    await forge.person(name, { is_restricted: name === 'restricted' })
  await forge.person('hidden-person', { visibility: 'private' })
  await forge.call('hidden-person', 'POST', '/user/repos', { name: 'thing', auto_init: true })
  await forge.person('hidden-before', { visibility: 'private' })
  const renamed = await forge.call('root', 'POST', '/admin/users/hidden-before/rename', {
    new_username: 'hidden-now',
  })
  assert.equal(renamed.status, 204)
  await forge.call('root', 'POST', '/orgs', { username: 'hidden-guild', visibility: 'private' })
  const made = await forge.call('root', 'POST', '/orgs/hidden-guild/repos', {
    name: 'thing',
    auto_init: true,
  })
  repositoryId = made.body.id
  teamId = (await forge.call('root', 'GET', '/orgs/hidden-guild/teams')).body[0].id
  for (const who of ['stranger', 'restricted']) {
    const facts = { name: 'own', auto_init: true, template: true }
    assert.equal((await forge.call(who, 'POST', '/user/repos', facts)).status, 201)
    assert.equal((await forge.call(who, 'POST', '/orgs', { username: `${who}s` })).status, 201)
  }
})
after(() => forge[Symbol.asyncDispose]())

/** Parameters that name an account, or an id that only those know who can see its owner. */
const NAMES = ['username', 'owner', 'org', 'target', 'template_owner', 'collaborator', 'assignee']
const HIDDEN = ['hidden-guild', 'hidden-person', 'hidden-before']
const MISSING = 'nobody-at-all'
const MISSING_ID = 9_999_999

type Ask = { method: Method; path: string; body?: unknown }

/** Every request with a name, `NAME` in its place; other parameters are the caller's own, or missing. */
function asksOf(who: string | null): Ask[] {
  const own = who ?? 'stranger'
  return routes.flatMap((route) => {
    const params = [...route.path.matchAll(/[:*](\w+)(?:\([^)]*\))?/g)].map(([, name]) => name ?? '')
    const asked = params.filter((name) => NAMES.includes(name) || isNumbered(route.path, name))
    return asked.map((name) => {
      const values: Record<string, string> = {
        owner: own,
        template_owner: own,
        org: `${own}s`,
        username: own,
        repo: asked.length > 0 && name !== 'owner' ? 'own' : 'thing',
        template_repo: 'thing',
        diffType: 'diff',
        id: '1',
        [name]: isNumbered(route.path, name) ? 'NUMBER' : 'NAME',
      }
      const path = route.path.replace(/[:*](\w+)(\([^)]*\))?/g, (_, it) => values[it] ?? '1')
      const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : {}
      return { method: route.method, path: route.isPage ? `/${path}` : path, body }
    })
  })
}

function isNumbered(path: string, name: string): boolean {
  return name === 'id' && /^\/(teams|repositories)\/:id/.test(path)
}

/** Requests with names in their bodies. */
function bodiesOf(own: string): Ask[] {
  const at = `/repos/${own}/own`
  const source = 'http://127.0.0.1:1/x'
  return [
    {
      method: 'POST',
      path: '/repos/migrate',
      body: { clone_addr: source, repo_name: 'z', repo_owner: 'NAME' },
    },
    { method: 'POST', path: `${at}/forks`, body: { organization: 'NAME', name: 'fork' } },
    { method: 'POST', path: `${at}/transfer`, body: { new_owner: 'NAME' } },
    { method: 'POST', path: `${at}/generate`, body: { owner: 'NAME', name: 'made', git_content: true } },
    { method: 'POST', path: '/orgs/NAME/repos', body: { name: 'mine' } },
    { method: 'POST', path: '/org/NAME/repos', body: { name: 'mine' } },
    { method: 'POST', path: '/orgs/NAME/teams', body: { name: 'mine', permission: 'read' } },
    {
      method: 'POST',
      path: `${at}/branch_protections`,
      body: { rule_name: 'r', enable_push: true, push_whitelist_usernames: ['NAME'] },
    },
    {
      method: 'POST',
      path: `${at}/tag_protections`,
      body: { name_pattern: 'v*', whitelist_usernames: ['NAME'] },
    },
    { method: 'PUT', path: `${at}/collaborators/NAME`, body: { permission: 'read' } },
  ]
}

async function answerTo(who: string | null, { method, path, body }: Ask, name: string): Promise<string> {
  const number = name === MISSING ? MISSING_ID : path.includes('/teams/') ? teamId : repositoryId
  const said = (text: string) => text.replaceAll('NAME', name).replaceAll('NUMBER', String(number))
  const sent = body === undefined ? undefined : JSON.parse(said(JSON.stringify(body)))
  const { status, headers, body: answer } = await forge.call(who, method, said(path), sent)
  return `${status} ${String(headers.get('message') ?? answer?.message).replaceAll(name, 'NAME')}`
}

for (const who of ['stranger', 'restricted', null])
  test(`${who ?? 'nobody'} gets the same answer for hidden and missing accounts`, async () => {
    const told = new Set<string>()
    for (const ask of [...asksOf(who), ...(who === null ? [] : bodiesOf(who))]) {
      const absent = await answerTo(who, ask, MISSING)
      for (const name of HIDDEN) {
        const there = await answerTo(who, ask, name)
        if (there !== absent) told.add(`${ask.method} ${ask.path} of ${name}: ${there}, of none: ${absent}`)
      }
    }
    assert.deepEqual([...told], [])
  })
