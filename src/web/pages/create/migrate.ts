/** Imports a repository from another site, and shows the progress. */
import { type Fields, type FormVisit, html, type Page, page, Redirect } from '#platform/page'
import { invalid } from '#platform/problem'
import { links, path } from '../../links.ts'
import { time } from '../../parts/basics.ts'
import { button, check, field, form, select, written } from '../../parts/forms.ts'
import { createWords as words } from '../../words/create.ts'
import { loadOwners, ownerField } from './owners.ts'

const ADDRESS_MAX = 2048
const TEXT_MAX = 255

const migratePage = page({
  path: '/repo/migrate',
  requiresSignIn: true,
  load: async (visit) => ({ owners: await loadOwners(visit) }),
  show: ({ owners }, visit) => {
    const kept = (name: string, value = '') => written(visit, 'migrate', name, value)
    const item = ([name, label]: [string, string]) =>
      check({ name, label, isChecked: visit.failed === null || kept(name) === 'true' })
    return {
      title: words.migrate,
      body: html`<div class="settings"><h1>${words.migrate}</h1><p>${words.migrateHelp}</p>${form(
        visit,
        'migrate',
        html`${field({ name: 'clone_addr', label: words.address, type: 'url', help: words.addressHelp, value: kept('clone_addr'), isRequired: true, isFocused: visit.failed === null, maxLength: ADDRESS_MAX })}
${select({ name: 'service', label: words.service, options: Object.entries(words.services), value: kept('service', 'git') })}
<details><summary>${words.credentials}</summary><div class="pairs">${field({ name: 'auth_username', label: words.username, value: kept('auth_username'), autocomplete: 'off' })}
${field({ name: 'auth_password', label: words.password, type: 'password', autocomplete: 'off', maxLength: ADDRESS_MAX })}</div>${field({ name: 'auth_token', label: words.token, autocomplete: 'off', maxLength: ADDRESS_MAX })}</details>
<div class="pairs">${ownerField(visit, 'migrate', owners)}${field({ name: 'repo_name', label: words.name, value: kept('repo_name'), isRequired: true, maxLength: 100 })}</div>
${field({ name: 'description', label: words.description, value: kept('description'), maxLength: ADDRESS_MAX })}
${check({ name: 'private', label: words.private, help: words.privateHelp, isChecked: kept('private') === 'true' })}
${check({ name: 'mirror', label: words.mirror, help: words.mirrorHelp, isChecked: kept('mirror') === 'true' })}
<fieldset><legend>${words.brings}</legend>${Object.entries(words.items).map(item)}</fieldset>${button(words.start, { tone: 'primary' })}`,
      )}</div>`,
    }
  },
  forms: {
    migrate: {
      does: ['importStart', 'repoMigrate'],
      handle: migrate,
      dryRun: ({ ask, fields }) => ask('repoMigrate', {}, wishOf(fields)),
    },
  },
})

/** Like the REST operation, but does not wait for the end. */
async function migrate({ ask, fields }: FormVisit): Promise<string> {
  const id = await ask('importStart', {}, wishOf(fields))
  return path('repo', 'migrate', id)
}

function wishOf(fields: Fields) {
  const bounded = (name: string, most: number) => {
    const text = fields.text(name).trim()
    if (text.length > most) throw invalid(words.tooLong(name))
    return text
  }
  fields.required('clone_addr')
  return {
    clone_addr: bounded('clone_addr', ADDRESS_MAX),
    repo_name: bounded('repo_name', 100),
    repo_owner: bounded('owner', TEXT_MAX),
    service: bounded('service', 50),
    auth_username: bounded('auth_username', TEXT_MAX),
    auth_password: bounded('auth_password', ADDRESS_MAX),
    auth_token: bounded('auth_token', ADDRESS_MAX),
    description: bounded('description', ADDRESS_MAX),
    private: fields.flag('private'),
    mirror: fields.flag('mirror'),
    wiki: fields.flag('wiki'),
    lfs: fields.flag('lfs'),
    labels: fields.flag('labels'),
    milestones: fields.flag('milestones'),
    issues: fields.flag('issues'),
    pull_requests: fields.flag('pull_requests'),
    releases: fields.flag('releases'),
  }
}

const progressPage = page({
  path: '/repo/migrate/:id',
  requiresSignIn: true,
  load: async ({ ask, params }) => {
    const found = await ask('importGet', params)
    if (found.repository !== undefined) {
      const { owner, name } = found.repository
      throw new Redirect(links.repository({ full_name: `${owner.login}/${name}` }))
    }
    return found
  },
  show: ({ name, url, state, failure, created_at }, visit) => {
    const isOver = state === 'failed' || state === 'cancelled' || state === 'done'
    return {
      title: words.importing(name),
      ...(isOver ? {} : { islands: ['wait.ts'] }),
      body: html`<div class="settings"><h1>${words.importing(name)}</h1><p${!isOver && html` data-wait`} role="status">${words.states[state]}</p>
${failure !== null && html`<p class="flash bad" role="alert">${failure.message}</p>`}<p class="quiet-text">${words.from_} ${url}, ${words.started} ${time(created_at, visit.ctx.now())}</p>
<p class="actions">${isOver ? html`<a class="button" href="${links.migrate}">${words.again}</a>` : html`<a class="button" href="${visit.path}">${words.reload}</a>`}</p></div>`,
    }
  },
})

export const migratePages: readonly Page[] = [migratePage, progressPage]
