/** Creates a repository: empty, with initial files, or from a template. */
import { type FormVisit, html, type Page, page } from '#platform/page'
import { invalid } from '#platform/problem'
import { links } from '../../links.ts'
import { box } from '../../parts/basics.ts'
import { area, button, check, field, form, select, written } from '../../parts/forms.ts'
import { createWords as words } from '../../words/create.ts'
import { loadOwners, ownerField } from './owners.ts'

const newRepositoryPage = page({
  path: '/repo/create',
  requiresSignIn: true,
  load: async (visit) => {
    const [owners, gitignores, licenses, labels] = await Promise.all([
      loadOwners(visit),
      visit.ask('listGitignoresTemplates', {}),
      visit.ask('listLicenseTemplates', {}),
      visit.ask('listLabelTemplates', {}),
    ])
    return { owners, gitignores, licenses, labels }
  },
  show: ({ owners, gitignores, licenses, labels }, visit) => {
    const kept = (name: string, value = '') => written(visit, 'create', name, value)
    const isFresh = visit.failed === null
    const none = ['', words.none] as const
    const choices = (names: readonly string[]) => [none, ...names.map((it) => [it, it] as const)]
    const fresh = form(
      visit,
      'create',
      html`<div class="pairs">${ownerField(visit, 'create', owners)}${field({ name: 'name', label: words.name, value: kept('name'), isRequired: true, isFocused: isFresh, maxLength: 100, pattern: '[\\w.\\-]+' })}</div>
${field({ name: 'description', label: words.description, value: kept('description'), maxLength: 2048 })}
${check({ name: 'private', label: words.private, help: words.privateHelp, isChecked: kept('private') === 'true' })}
<fieldset><legend>${words.begin}</legend>${check({ name: 'auto_init', label: words.readme, help: words.readmeHelp, isChecked: isFresh || kept('auto_init') === 'true' })}
<div class="pairs">${select({ name: 'gitignores', label: words.gitignore, options: choices(gitignores), value: kept('gitignores') })}
${select({ name: 'license', label: words.license, options: [none, ...licenses.map(({ key, name }) => [key, name] as const)], value: kept('license') })}
${select({ name: 'issue_labels', label: words.labels, options: choices(labels), value: kept('issue_labels') })}
${field({ name: 'default_branch', label: words.defaultBranch, value: kept('default_branch', 'main'), maxLength: 100 })}</div></fieldset>
<details><summary>${words.more}</summary>${check({ name: 'template', label: words.template, help: words.templateHelp, isChecked: kept('template') === 'true' })}
${select({
  name: 'object_format_name',
  label: words.objectFormat,
  options: [
    ['sha1', 'SHA-1'],
    ['sha256', 'SHA-256'],
  ],
  value: kept('object_format_name', 'sha1'),
})}</details>
${button(words.create, { tone: 'primary' })}`,
    )
    const template = form(
      visit,
      'generate',
      html`${field({ name: 'template_of', label: words.template, help: words.fromHelp, value: written(visit, 'generate', 'template_of', visit.query.get('template') ?? ''), isRequired: true })}
<div class="pairs">${ownerField(visit, 'generate', owners, 'new_owner')}${field({ name: 'new_name', label: words.name, value: written(visit, 'generate', 'new_name'), isRequired: true, maxLength: 100 })}</div>
${check({ name: 'new_private', label: words.private, isChecked: false })}${button(words.create)}`,
    )
    return {
      title: words.newRepository,
      body: html`<div class="settings"><h1>${words.newRepository}</h1><p>${words.newRepositoryHelp} <a href="${links.migrate}">${words.migrate}</a></p>${fresh}<hr>${box(words.from, template)}</div>`,
    }
  },
  forms: {
    create: { does: ['createCurrentUserRepo', 'createOrgRepo'], handle: create },
    generate: { does: ['generateRepo'], handle: generate },
  },
})

async function create({ ctx, ask, fields }: FormVisit): Promise<string> {
  const owner = fields.text('owner')
  const body = {
    name: fields.required('name').trim(),
    description: fields.text('description'),
    private: fields.flag('private'),
    template: fields.flag('template'),
    auto_init: fields.flag('auto_init'),
    default_branch: fields.text('default_branch').trim(),
    gitignores: fields.text('gitignores'),
    issue_labels: fields.text('issue_labels'),
    license: fields.text('license'),
    object_format_name: fields.text('object_format_name'),
  }
  const isOwn = owner === '' || owner === ctx.actor?.login
  const made = isOwn
    ? await ask('createCurrentUserRepo', {}, body)
    : await ask('createOrgRepo', { org: owner }, body)
  return links.repository(made)
}

async function generate({ ask, fields }: FormVisit): Promise<string> {
  const [template_owner = '', template_repo = '', ...more] = fields.required('template_of').trim().split('/')
  if (template_repo === '' || more.length > 0) throw invalid(words.fromHelp)
  const made = await ask(
    'generateRepo',
    { template_owner, template_repo },
    {
      owner: fields.required('new_owner'),
      name: fields.required('new_name').trim(),
      private: fields.flag('new_private'),
      git_content: true,
      labels: true,
      topics: true,
    },
  )
  return links.repository(made)
}

const newOrganizationPage = page({
  path: '/org/create',
  requiresSignIn: true,
  load: async () => ({}),
  show: (_view, visit) => {
    const kept = (name: string, value = '') => written(visit, 'create', name, value)
    return {
      title: words.newOrganization,
      body: html`<div class="settings"><h1>${words.newOrganization}</h1><p>${words.newOrganizationHelp}</p>${form(
        visit,
        'create',
        html`${field({ name: 'username', label: words.organizationName, value: kept('username'), isRequired: true, isFocused: visit.failed === null, maxLength: 40 })}
${area({ name: 'description', label: words.description, value: kept('description'), rows: 2, maxLength: 255 })}
${select({ name: 'visibility', label: words.visibility, options: Object.entries(words.visibilities), value: kept('visibility', 'public') })}${button(words.createOrganization, { tone: 'primary' })}`,
      )}</div>`,
    }
  },
  forms: {
    create: {
      does: ['orgCreate'],
      handle: async ({ ask, fields }) => {
        const { username } = await ask(
          'orgCreate',
          {},
          {
            username: fields.required('username').trim(),
            description: fields.text('description'),
            visibility: fields.text('visibility') as 'public' | 'limited' | 'private',
          },
        )
        return links.account(username)
      },
    },
  },
})

export const newPages: readonly Page[] = [newRepositoryPage, newOrganizationPage]
