/** The controls of pages, their markup, and the operation behind each. */
import type { Place, Scene } from './scene.ts'
import { coded } from './scene.ts'

export interface Asked {
  readonly scene: Scene
  readonly place: Place
  readonly login: string | null
  /** A unique word. */
  readonly word: string
}

export interface Control {
  readonly name: string
  /** Below the repository. */
  readonly page: (place: Place) => string
  /** The markup in the page that offers it. */
  readonly mark: (place: Place) => string
  /** Whether it is a link, which may lead an anonymous visitor to sign in. */
  readonly isLink: boolean
  /** Returns the status of the operation. Its effect is undone where other tests need the former state. */
  readonly ask: (asked: Asked) => Promise<number>
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Body = Readonly<Record<string, unknown>>

/** An operation of the repository; `undo` is what the owner does after success. */
function operation(
  method: Method,
  path: string | ((place: Place) => string),
  body?: Body | ((word: string) => Body),
  undo?: (asked: Asked) => Promise<unknown>,
): Control['ask'] {
  return async (asked) => {
    const { scene, place, login, word } = asked
    const below = typeof path === 'string' ? path : path(place)
    const sent = typeof body === 'function' ? body(word) : body
    const { status } = await scene.forge.call(login, method, `/repos/${place.path}${below}`, sent)
    if (status < 300 && undo !== undefined) await undo(asked)
    return status
  }
}

/** An operation of the owner in the repository. */
function undoing(method: Method, path: (asked: Asked) => string, body?: Body) {
  return (asked: Asked) => asked.scene.done(method, `/repos/${asked.place.path}${path(asked)}`, body)
}

type At = string | ((place: Place) => string)
const at = (it: At) => (typeof it === 'string' ? () => it : it)

function link(name: string, page: At, to: At, ask: Control['ask']): Control {
  const mark = (place: Place) => `href="/${place.path}${at(to)(place)}`
  return { name, page: at(page), mark, isLink: true, ask }
}

function form(name: string, page: At, value: string, ask: Control['ask']): Control {
  return { name, page: at(page), mark: () => `name="form" value="${value}"`, isLink: false, ask }
}

const issue = ({ issue }: Place) => `/issues/${issue}`
const pull = ({ pull }: Place) => `/pulls/${pull}`
const clash = ({ clash }: Place) => `/pulls/${clash}`
const pullsIssue = ({ pull }: Place) => `/issues/${pull}`

const openIssue = operation('POST', '/issues', (title) => ({ title }))
const label = operation('PUT', (it) => `${issue(it)}/labels`, { labels: [] })
const plan = operation('POST', '/milestones', (title) => ({ title }))
const openPull = operation(
  'POST',
  '/pulls',
  { title: 'Another', head: 'other', base: 'main' },
  async ({ scene, place }) => {
    const [{ number }] = await scene.done('GET', `/repos/${place.path}/pulls?state=open&sort=newest&limit=1`)
    await scene.done('PATCH', `/repos/${place.path}/pulls/${number}`, { state: 'closed' })
  },
)
const write = operation(
  'POST',
  '/contents/probe.txt',
  (word) => ({ content: coded(word), new_branch: word }),
  undoing('DELETE', ({ word }) => `/branches/${word}`),
)
const release = operation('POST', '/releases', (name) => ({ tag_name: 'v1', name, draft: true }))
const wiki = operation('POST', '/wiki/new', (title) => ({ title, content_base64: coded('Words') }))
const project = operation('POST', '/projects', (title) => ({ title }))
/** The same right as that to update the branch, which fails because of the conflict. */
const resolve = operation('POST', (it) => `${clash(it)}/update?style=merge`)
const secrets = operation('GET', '/actions/secrets')

/** Compat: a user who may not choose reviewers gets 422. */
const askForReview: Control['ask'] = async (asked) => {
  const ask = operation(
    'POST',
    (it) => `${pull(it)}/requested_reviewers`,
    { reviewers: ['rex'] },
    undoing('DELETE', ({ place }) => `${pull(place)}/requested_reviewers`, { reviewers: ['rex'] }),
  )
  const status = await ask(asked)
  return status === 422 ? 403 : status
}

export const CONTROLS: readonly Control[] = [
  link('open an issue', '/issues', '/issues/new/choose', openIssue),
  form('write an issue', '/issues/new', 'create', openIssue),
  form('change many issues', '/issues', 'bulk', label),
  form(
    'comment on an issue',
    issue,
    'comment',
    operation(
      'POST',
      (it) => `${issue(it)}/comments`,
      (body) => ({ body }),
    ),
  ),
  form(
    'react to an issue',
    issue,
    'react',
    operation('POST', (it) => `${issue(it)}/reactions`, { content: '+1' }),
  ),
  link(
    'rename an issue',
    issue,
    (it) => `${issue(it)}?edit=title`,
    operation('PATCH', issue, (title) => ({ title })),
  ),
  {
    name: 'close an issue',
    page: issue,
    mark: () => 'name="form" value="close"',
    isLink: false,
    ask: operation(
      'PATCH',
      issue,
      { state: 'closed' },
      undoing('PATCH', ({ place }) => issue(place), { state: 'open' }),
    ),
  },
  form('label an issue', issue, 'labels', label),
  form(
    'track time',
    issue,
    'add-time',
    operation('POST', (it) => `${issue(it)}/times`, { time: 60 }),
  ),
  form(
    'pin an issue',
    issue,
    'pin',
    operation(
      'POST',
      (it) => `${issue(it)}/pin`,
      undefined,
      undoing('DELETE', ({ place }) => `${issue(place)}/pin`),
    ),
  ),
  form(
    'lock an issue',
    issue,
    'lock',
    operation(
      'PUT',
      (it) => `${issue(it)}/lock`,
      undefined,
      undoing('DELETE', ({ place }) => `${issue(place)}/lock`),
    ),
  ),
  form(
    'make a label',
    '/labels',
    'create',
    operation('POST', '/labels', (name) => ({ name, color: '#00aa00' })),
  ),
  link('plan a milestone', '/milestones', '/milestones/new', plan),
  form('write a milestone', '/milestones/new', 'create', plan),
  link(
    'change a milestone',
    ({ milestone }) => `/milestone/${milestone}`,
    ({ milestone }) => `/milestones/${milestone}/edit`,
    operation(
      'PATCH',
      ({ milestone }) => `/milestones/${milestone}`,
      (description) => ({ description }),
    ),
  ),
  form(
    'change many pull requests',
    '/pulls',
    'bulk',
    operation('PUT', (it) => `${pullsIssue(it)}/labels`, { labels: [] }),
  ),
  link('open a pull request', '/pulls', '/compare"', openPull),
  form('write a pull request', '/compare/main...other', 'create', openPull),
  form(
    'comment on a pull request',
    pull,
    'comment',
    operation(
      'POST',
      (it) => `${pullsIssue(it)}/comments`,
      (body) => ({ body }),
    ),
  ),
  link(
    'rename a pull request',
    pull,
    (it) => `${pull(it)}?edit=title`,
    operation('PATCH', pull, (title) => ({ title })),
  ),
  form(
    'label a pull request',
    pull,
    'labels',
    operation('PUT', (it) => `${pullsIssue(it)}/labels`, { labels: [] }),
  ),
  form(
    'lock a pull request',
    pull,
    'lock',
    operation(
      'PUT',
      (it) => `${pullsIssue(it)}/lock`,
      {},
      undoing('DELETE', ({ place }) => `${pullsIssue(place)}/lock`),
    ),
  ),
  form(
    'set the due date of a pull request',
    pull,
    'due-date',
    operation('PATCH', pullsIssue, { due_date: '2030-01-01T00:00:00Z' }),
  ),
  form('ask for reviews', pull, 'reviewers', askForReview),
  form(
    'review a pull request',
    (it) => `${pull(it)}/files`,
    'finish',
    operation(
      'POST',
      (it) => `${pull(it)}/reviews`,
      (body) => ({ event: 'COMMENT', body }),
    ),
  ),
  form('merge a pull request', pull, 'merge', (asked) => {
    // Nothing can be merged in a mirror; elsewhere it is requested with a wrong head.
    const head = asked.place.path.endsWith('/copy') ? {} : { head_commit_id: '1'.repeat(40) }
    return operation('POST', (it) => `${pull(it)}/merge`, { Do: 'merge', ...head })(asked)
  }),
  form(
    'bring a pull request up to date',
    pull,
    'update',
    operation(
      'POST',
      (it) => `${pull(it)}/update?style=merge`,
      undefined,
      ({ scene, place }) => scene.moveMain(place.path, place.pull, place.clash),
    ),
  ),
  link('resolve conflicts', clash, (it) => `${clash(it)}/conflicts"`, resolve),
  form('commit resolved conflicts', (it) => `${clash(it)}/conflicts`, 'resolve', resolve),
  link('add a file', '/src/branch/main', '/_new/main', write),
  link('upload files', '/src/branch/main', '/_upload/main', write),
  link('edit a file', '/src/branch/main/README.md', '/_edit/main/README.md', write),
  link('delete a file', '/src/branch/main/README.md', '/_delete/main/README.md', write),
  link(
    'pick a commit',
    ({ commit }) => `/commit/${commit}`,
    ({ commit }) => `/_cherrypick/${commit}`,
    write,
  ),
  form(
    'make a branch',
    '/branches',
    'new',
    operation(
      'POST',
      '/branches',
      (new_branch_name) => ({ new_branch_name }),
      undoing('DELETE', ({ word }) => `/branches/${word}`),
    ),
  ),
  {
    name: 'rename the default branch',
    page: () => '/branches',
    mark: () => 'id="rename-main"',
    isLink: false,
    ask: operation(
      'PATCH',
      '/branches/main',
      (name) => ({ name }),
      async ({ scene, place, word }) =>
        scene.done('PATCH', `/repos/${place.path}/branches/${word}`, { name: 'main' }),
    ),
  },
  // Its release blocks the deletion, which is only reported to users with permission.
  form('delete a tag', '/tags', 'delete', operation('DELETE', '/tags/v1')),
  link('draft a release', '/releases', '/releases/new', release),
  form('write a release', '/releases/new', 'create', release),
  link(
    'change a release',
    '/releases/tag/v1',
    '/releases/edit/v1',
    operation(
      'PATCH',
      ({ release }) => `/releases/${release}`,
      (name) => ({ name }),
    ),
  ),
  link('make a wiki page', '/wiki', '/wiki/_new', wiki),
  form('write a wiki page', '/wiki/_new', 'save', wiki),
  link(
    'edit a wiki page',
    '/wiki/Home',
    '/wiki/Home?action=_edit',
    operation('PATCH', '/wiki/page/Home', (word) => ({ title: 'Home', content_base64: coded(word) })),
  ),
  link('make a project', '/projects', '/projects/new', project),
  form('write a project', '/projects/new', 'create', project),
  form(
    'move cards of a board',
    ({ project }) => `/projects/${project}`,
    'move',
    operation(
      'PATCH',
      ({ project }) => `/projects/${project}`,
      (description) => ({ description }),
    ),
  ),
  form(
    'switch a workflow off',
    '/actions?workflow=check.yml',
    'disable',
    operation('PUT', '/actions/workflows/check.yml/enable'),
  ),
  form(
    'run again',
    ({ run }) => `/actions/runs/${run}`,
    'rerun',
    operation(
      'POST',
      ({ run }) => `/actions/runs/${run}/rerun`,
      undefined,
      undoing('POST', ({ place }) => `/actions/runs/${place.run}/cancel`),
    ),
  ),
  {
    name: 'star it',
    page: () => '',
    mark: () => 'name="form" value="star"',
    isLink: false,
    ask: async ({ scene, place, login }) => {
      const star = (method: 'PUT' | 'DELETE') =>
        scene.forge.call(login, method, `/user/starred/${place.path}`)
      const { status } = await star('PUT')
      await star('DELETE')
      return status
    },
  },
  link(
    'fork it',
    '',
    '/fork"',
    operation('POST', '/forks', (name) => ({ name })),
  ),
  link(
    'change its settings',
    '',
    '/settings"',
    operation('PATCH', '', (description) => ({ description })),
  ),
  link('keep secrets', '/settings', '/settings/actions/secrets"', secrets),
  form('delete the repository', '/settings', 'delete', secrets),
]
