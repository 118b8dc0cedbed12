/** Access to a repository: collaborators, teams, deploy keys. */
import { type FormVisit, type Html, html, type Page, type PageVisit, page } from '#platform/page'
import type { DeployKey, Team, User } from '../../../gen/contract.ts'
import { links, type RepositoryPath } from '../../../links.ts'
import { avatar, box, empty, icon, pill, time } from '../../../parts/basics.ts'
import {
  area,
  button,
  check,
  field,
  form,
  formButton,
  hidden,
  select,
  written,
} from '../../../parts/forms.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { loadRepository } from '../../../parts/repository.ts'
import { shownOnce } from '../../../parts/settings.ts'
import { openRepositorySettings, repositoryOf, repositoryScope } from '../../../scoped/scopes.ts'
import { withUndo } from '../../../undo.ts'
import { repositorySettingsWords as words } from '../../../words/repository-settings.ts'

const LIMIT = 30
type Permission = keyof typeof words.permissions

const collaborationPage = page({
  path: '/:owner/:repo/settings/collaboration',
  requiresSignIn: true,
  load: async (visit) => {
    const view = await loadRepository(visit)
    const frame = openRepositorySettings(visit, view, 'collaboration')
    const at = repositoryOf(visit)
    const [people, teams] = await Promise.all([
      visit.list('repoListCollaborators', { ...at, page: pageNumber(visit), limit: LIMIT }),
      view.repo.owner.type === 'Organization' ? visit.ask('repoListTeams', at) : null,
    ])
    const ids = people.items.map(({ id }) => id)
    return { frame, people, teams, levels: await visit.ask('repoListLevels', at, { ids }) }
  },
  show: ({ frame, people, teams, levels }, visit) =>
    frame({
      title: words.collaborators,
      body: html`<h1>${words.access}</h1>${box(
        words.collaborators,
        html`${people.total === 0 ? empty(words.noCollaborators) : html`<ul class="rows dense">${people.items.map((user) => personRow(visit, user, levels.get(user.id) ?? 'read'))}</ul>`}${form(
          visit,
          'add',
          html`${field({ name: 'username', label: words.addCollaborator, placeholder: words.username, value: written(visit, 'add', 'username'), isRequired: true, autocomplete: 'off' })}${select({ name: 'permission', label: words.permission, options: Object.entries(words.permissions), value: written(visit, 'add', 'permission', 'write') })}${button(words.add)}`,
          { class: 'row-form' },
        )}`,
      )}${pager(visit, people.total, LIMIT)}${teams !== null && box(words.teams, teamRows(visit, teams))}`,
    }),
  forms: {
    add: {
      does: ['repoAddCollaborator'],
      handle: async (visit) => {
        const { fields, path } = visit
        const collaborator = fields.required('username').trim()
        const permission = fields.text('permission') as Permission
        await visit.ask('repoAddCollaborator', { ...repositoryOf(visit), collaborator }, { permission })
        return path
      },
    },
    remove: {
      does: ['repoDeleteCollaborator', 'undoKeep'],
      handle: removeCollaborator,
    },
    'add-team': {
      does: ['repoAddTeam'],
      handle: async (visit) => {
        const team = visit.fields.required('team').trim()
        await visit.ask('repoAddTeam', { ...repositoryOf(visit), team })
        return visit.path
      },
    },
    'remove-team': {
      does: ['repoDeleteTeam'],
      handle: async (visit) => {
        await visit.ask('repoDeleteTeam', { ...repositoryOf(visit), team: visit.fields.required('team') })
        return visit.path
      },
    },
  },
})

/** Keeps the access level, so that undoing gives the same one. */
async function removeCollaborator(visit: FormVisit<RepositoryPath>): Promise<string> {
  const at = repositoryOf(visit)
  const collaborator = visit.fields.required('username')
  const user = await visit.ask('userGet', { username: collaborator })
  const levels = await visit.ask('repoListLevels', at, { ids: [user.id] })
  await visit.ask('repoDeleteCollaborator', { ...at, collaborator })
  const level = levels.get(user.id)
  const permission = level === 'read' || level === 'write' || level === 'admin' ? level : undefined
  // Users who removed themselves cannot undo it.
  if (permission === undefined || user.login === visit.ctx.actor?.login) return visit.path
  return withUndo(visit, visit.path, { kind: 'collaborator', ...at, login: user.login, permission })
}

function personRow(visit: PageVisit, { login, full_name, avatar_url }: User, permission: string): Html {
  return html`<li class="row">${avatar({ login, avatar_url }, 32)}<div class="grow"><a class="title" href="${links.account(login)}">${login}</a> ${full_name}</div>${form(
    visit,
    'add',
    html`${hidden('username', login)}${select({ id: `permission-${login}`, name: 'permission', label: `${words.permission}: ${login}`, isLabelHidden: true, options: Object.entries(words.permissions), value: permission })}${button(words.change, { label: `${words.change}: ${login}` })}`,
    { class: 'act' },
  )}${formButton(visit, 'remove', words.remove, { username: login }, { tone: 'danger', label: `${words.remove}: ${login}` })}</li>`
}

function teamRows(visit: PageVisit, teams: readonly Team[]): Html {
  const one = ({ name, description, permission }: Team) =>
    html`<li class="row">${icon('shield')}<div class="grow"><strong>${name}</strong> ${description}</div>${pill(permission)}${formButton(visit, 'remove-team', words.remove, { team: name }, { tone: 'danger', label: `${words.remove}: ${name}` })}</li>`
  return html`${teams.length === 0 ? empty(words.noTeams) : html`<ul class="rows dense">${teams.map(one)}</ul>`}${form(
    visit,
    'add-team',
    html`${field({ name: 'team', label: words.addTeam, placeholder: words.teamName, isRequired: true, autocomplete: 'off' })}${button(words.add)}`,
    { class: 'row-form' },
  )}`
}

const keysPage = page({
  path: '/:owner/:repo/settings/keys',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await repositoryScope.open(visit, 'deployKeys')
    const keys = await visit.list('repoListKeys', {
      ...repositoryOf(visit),
      page: pageNumber(visit),
      limit: LIMIT,
    })
    return { frame, keys }
  },
  show: ({ frame, keys: { items, total } }, visit) =>
    frame({
      title: words.deployKeys,
      body: html`<h1>${words.deployKeys}</h1><p>${words.deployKeysHelp}</p>${
        total === 0
          ? empty(words.noKeys)
          : html`<div class="box"><ul class="rows dense">${items.map((key) => keyRow(visit, key))}</ul></div>${pager(visit, total, LIMIT)}`
      }${box(
        words.addKey,
        form(
          visit,
          'add',
          html`${field({ name: 'title', label: words.keyTitle, value: written(visit, 'add', 'title'), isRequired: true })}${area({ name: 'key', label: words.key, help: words.keyHelp, value: written(visit, 'add', 'key'), rows: 3, isCode: true, isRequired: true })}${check({ name: 'writes', label: words.mayWrite })}${button(words.addKey, { tone: 'primary' })}`,
        ),
      )}${box(
        words.addToken,
        form(
          visit,
          'token',
          html`<p>${words.tokenHelp}</p>${field({ id: 'token-title', name: 'title', label: words.keyTitle, isRequired: true })}${check({ id: 'token-writes', name: 'writes', label: words.mayWrite })}${button(words.makeToken)}`,
        ),
      )}`,
    }),
  forms: {
    add: {
      does: ['repoCreateKey'],
      isDangerous: true,
      handle: async (visit) => {
        const { fields } = visit
        const key = { title: fields.required('title'), key: fields.required('key').trim() }
        await visit.ask('repoCreateKey', repositoryOf(visit), { ...key, read_only: !fields.flag('writes') })
        return visit.path
      },
    },
    token: {
      does: ['repoCreateDeployToken'],
      isDangerous: true,
      handle: async (visit) => {
        const { fields } = visit
        const frame = await repositoryScope.open(visit, 'deployKeys')
        const wish = { title: fields.required('title'), read_only: !fields.flag('writes') }
        const { token = '' } = await visit.ask('repoCreateDeployToken', repositoryOf(visit), wish)
        return frame({ title: words.addToken, body: shownOnce(words.addToken, token, visit.path) })
      },
    },
    delete: {
      does: ['repoDeleteKey'],
      handle: async (visit) => {
        await visit.ask('repoDeleteKey', { ...repositoryOf(visit), id: visit.fields.number('id') ?? 0 })
        return visit.path
      },
    },
  },
})

function keyRow(visit: PageVisit, { id, title, fingerprint, created_at, read_only }: DeployKey): Html {
  return html`<li class="row">${icon('key')}<div class="grow"><strong>${title}</strong><p class="row-facts"><span class="mono">${fingerprint}</span><span>${time(created_at, visit.ctx.now())}</span></p></div>${pill(read_only ? words.readOnly : words.writes)}${formButton(visit, 'delete', words.remove, { id }, { tone: 'danger', label: `${words.remove}: ${title}` })}</li>`
}

export const accessPages: readonly Page[] = [collaborationPage, keysPage]
