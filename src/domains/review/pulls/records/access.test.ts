/**
 * Access to every pull request route: one row per route, one letter per caller who is allowed. A route missing from the
 * table fails the test.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { slice } from '../index.ts'

/** From least to most rights; the author opened the pull request and has read access. */
const CALLERS = { n: null, s: 'stranger', r: 'reader', u: 'author', w: 'writer', a: 'boss' } as const
type Letter = keyof typeof CALLERS
const LETTERS = Object.keys(CALLERS) as Letter[]

const TABLE: Readonly<Record<string, { readonly public: string; readonly archived?: string }>> = {
  'GET pulls': { public: 'nsruwa' },
  'POST pulls': { public: 'sruwa', archived: '' },
  'GET pulls/pinned': { public: 'nsruwa' },
  'GET pulls/:index': { public: 'nsruwa' },
  'GET pulls/:base/*head': { public: 'nsruwa' },
  'PATCH pulls/:index': { public: 'uwa' },
  'GET pulls/:index/files': { public: 'nsruwa' },
  'GET pulls/:index/commits': { public: 'nsruwa' },
  'GET pulls/:index.:diffType(^(?:diff|patch)$)': { public: 'nsruwa' },
  'GET pulls/:index/versions': { public: 'nsruwa' },
  'GET pulls/:index/versions/:base/compare/:head': { public: 'nsruwa' },
}

const BASE = '/repos/:owner/:repo/'
/** Page routes share the open functions of the REST routes. */
const routes = slice.routes.filter(({ isPage }) => !isPage)
const BODIES: Readonly<Record<string, object>> = {
  // It exists already: callers who are allowed get 409.
  'POST pulls': { title: 'again', head: 'topic', base: 'main' },
  'PATCH pulls/:index': {},
}
const PLACES = ['public', 'private', 'archived', 'without-pulls', 'without-code'] as const
type PlaceName = (typeof PLACES)[number]

let forge: Forge
const numbers = new Map<PlaceName, number>()
before(async () => {
  forge = await startForge()
  for (const login of Object.values(CALLERS)) if (login !== null) await forge.person(login)
  for (const name of PLACES) await found(name)
})
after(() => forge[Symbol.asyncDispose]())

async function found(name: PlaceName): Promise<void> {
  const root = `/repos/boss/${name}`
  await forge.call('boss', 'POST', '/user/repos', {
    name,
    auto_init: true,
    default_branch: 'main',
    private: name === 'private',
  })
  for (const [login, permission] of [
    ['reader', 'read'],
    ['author', 'write'],
    ['writer', 'write'],
  ])
    await forge.call('boss', 'PUT', `${root}/collaborators/${login}`, { permission })
  await forge.call('author', 'POST', `${root}/contents/topic.md`, {
    content: 'dG9waWMK',
    branch: 'main',
    new_branch: 'topic',
    message: 'topic',
  })
  const { status, body } = await forge.call('author', 'POST', `${root}/pulls`, {
    title: 'topic',
    head: 'topic',
    base: 'main',
  })
  assert.equal(status, 201, JSON.stringify(body))
  numbers.set(name, body.number)
  await forge.call('boss', 'PUT', `${root}/collaborators/author`, { permission: 'read' })
  if (name === 'archived') await forge.call('boss', 'PATCH', root, { archived: true })
  if (name === 'without-pulls') await forge.call('boss', 'PATCH', root, { has_pull_requests: false })
  if (name === 'without-code') await forge.call('boss', 'PATCH', root, { has_code: false })
}

function lettersIn(name: PlaceName, key: string): string {
  const row = TABLE[key] ?? { public: '' }
  if (name === 'without-pulls' || name === 'without-code') return ''
  if (name === 'archived') return row.archived ?? row.public
  return name === 'private' ? row.public.replace(/[ns]/g, '') : row.public
}

test('the table has exactly one row for every route', () => {
  const keys = routes.map(({ method, path }) => `${method} ${path.slice(BASE.length)}`)
  assert.deepEqual(keys.toSorted(), Object.keys(TABLE).toSorted())
})

for (const name of PLACES)
  for (const { method, path } of routes) {
    const key = `${method} ${path.slice(BASE.length)}`
    test(`${name}: ${key}`, async () => {
      const address = path
        .replace(/\(\^.*$/, '')
        .replace(':owner', 'boss')
        .replace(':repo', name)
        .replace(':base/*head', 'main/topic')
        .replace(':base', '1')
        .replace(':head', '1')
        .replace(':index', String(numbers.get(name)))
        .replace(':diffType', 'diff')
      const letIn: string[] = []
      for (const letter of LETTERS) {
        const { status } = await forge.call(CALLERS[letter], method, address, BODIES[key])
        assert.ok(status < 500, `${letter}: ${status}`)
        if (status < 300 || status === 409) letIn.push(letter)
        else assert.ok([401, 403, 404, 423].includes(status), `${letter}: ${status}`)
      }
      assert.equal(letIn.join(''), lettersIn(name, key))
    })
  }
