/** Name and deletion of an organization, its labels, and blocked users. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { invalid } from '#platform/problem'
import type { Label, Organization } from '../../../gen/contract.ts'
import { links } from '../../../links.ts'
import { avatar, box, empty, label } from '../../../parts/basics.ts'
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
import { loadOrganizationHead } from '../../../parts/organization.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { blockedBody, blockForms } from '../../../parts/people/blocked.ts'
import { openOrganizationSettings, organizationOf, organizationScope } from '../../../scoped/scopes.ts'
import { createWords } from '../../../words/create.ts'
import { organizationSettingsWords as words } from '../../../words/organization-settings.ts'

const LIMIT = 30
const PICTURE_BYTES_MAX = 1_048_576

const generalPage = page({
  path: '/org/:org/settings',
  requiresSignIn: true,
  load: (visit) => loadOrganizationHead(visit, visit.params.org),
  show: (head, visit) =>
    openOrganizationSettings(
      visit,
      head,
      'general',
    )({
      title: words.general,
      body: html`<h1>${words.general}</h1>${factsForm(visit, head.org)}<hr>${box(
        words.picture,
        html`<div class="box-text">${avatar({ login: head.org.username, avatar_url: head.org.avatar_url }, 96)}</div>${form(visit, 'picture', html`${field({ name: 'picture', label: words.picture, type: 'file', isRequired: true })}${button(words.upload)}`, { hasFiles: true, class: 'row-form' })}`,
        formButton(visit, 'drop-picture', words.removePicture, {}, { tone: 'quiet' }),
      )}${dangerBox(visit, head.org)}`,
    }),
  forms: {
    facts: {
      does: ['orgEdit'],
      handle: async (visit) => {
        const { fields } = visit
        await visit.ask('orgEdit', organizationOf(visit), {
          full_name: fields.text('full_name'),
          email: fields.text('email').trim(),
          description: fields.text('description'),
          website: fields.text('website').trim(),
          location: fields.text('location'),
          visibility: fields.text('visibility') as Organization['visibility'],
          repo_admin_change_team_access: fields.flag('repo_admin_change_team_access'),
          requires_second_factor: fields.flag('requires_second_factor'),
        })
        return visit.path
      },
    },
    picture: {
      does: ['orgUpdateAvatar'],
      handle: async (visit) => {
        const [file] = visit.fields.files('picture')
        if (file === undefined || file.bytes.length > PICTURE_BYTES_MAX) throw invalid(words.pictureTooLarge)
        await visit.ask('orgUpdateAvatar', organizationOf(visit), { image: file.bytes.toString('base64') })
        return visit.path
      },
    },
    'drop-picture': {
      does: ['orgDeleteAvatar'],
      handle: async (visit) => {
        await visit.ask('orgDeleteAvatar', organizationOf(visit))
        return visit.path
      },
    },
    rename: {
      does: ['renameOrg'],
      isDangerous: true,
      handle: async (visit) => {
        const new_name = visit.fields.required('new_name').trim()
        await visit.ask('renameOrg', organizationOf(visit), { new_name })
        return links.organization(new_name, 'settings')
      },
    },
    delete: {
      does: ['orgDelete'],
      isDangerous: true,
      handle: async (visit) => {
        const { org } = organizationOf(visit)
        if (visit.fields.text('confirm').trim() !== org) throw invalid(words.nameDiffers)
        await visit.ask('orgDelete', { org })
        return links.home
      },
    },
  },
})

function factsForm(visit: PageVisit, org: Organization): Html {
  const kept = (name: string, value: string) => written(visit, 'facts', name, value)
  return form(
    visit,
    'facts',
    html`${field({ name: 'full_name', label: words.fullName, value: kept('full_name', org.full_name), maxLength: 100 })}${area({ name: 'description', label: words.description, value: kept('description', org.description), rows: 2, maxLength: 255 })}
<div class="pairs">${field({ name: 'email', label: words.email, type: 'email', value: kept('email', org.email) })}${field({ name: 'website', label: words.website, type: 'url', value: kept('website', org.website) })}${field({ name: 'location', label: words.location, value: kept('location', org.location), maxLength: 50 })}
${select({ name: 'visibility', label: words.visibility, options: Object.entries(createWords.visibilities), value: kept('visibility', org.visibility) })}</div>${check({ name: 'repo_admin_change_team_access', label: words.adminsChangeTeams, isChecked: org.repo_admin_change_team_access })}${check({ name: 'requires_second_factor', label: words.requiresFactor, help: words.requiresFactorHelp, isChecked: org.requires_second_factor === true })}${button(words.save, { tone: 'primary' })}`,
  )
}

function dangerBox(visit: PageVisit, { username }: Organization): Html {
  return html`<section class="box danger" aria-labelledby="danger"><header class="box-head"><h2 id="danger">${words.danger}</h2></header><ul class="rows"><li class="row top"><div class="grow"><strong>${words.rename}</strong><p class="row-text">${words.renameHelp}</p><details><summary>${words.rename}</summary>${form(visit, 'rename', html`${field({ name: 'new_name', label: words.newName, isRequired: true, maxLength: 40 })}${button(words.rename, { tone: 'danger' })}`)}</details></div></li>
<li class="row top"><div class="grow"><strong>${words.deleteIt}</strong><p class="row-text">${words.deleteHelp}</p><details><summary>${words.deleteIt}</summary>${form(visit, 'delete', html`${field({ name: 'confirm', label: words.typeName(username), isRequired: true, autocomplete: 'off' })}${button(words.deleteIt, { tone: 'danger' })}`)}</details></div></li></ul></section>`
}

const labelsPage = page({
  path: '/org/:org/settings/labels',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await organizationScope.open(visit, 'labels')
    const labels = await visit.list('orgListLabels', {
      ...organizationOf(visit),
      page: pageNumber(visit),
      limit: LIMIT,
    })
    return { frame, ...labels }
  },
  show: ({ frame, items, total }, visit) =>
    frame({
      title: words.labels,
      body: html`<h1>${words.labels}</h1><p>${words.labelsHelp}</p>${total === 0 ? empty(words.noLabels) : html`<div class="box"><ul class="rows dense">${items.map((it) => labelRow(visit, it))}</ul></div>${pager(visit, total, LIMIT)}`}${box(words.addLabel, form(visit, 'add', html`${labelFields('new')}${button(words.addLabel, { tone: 'primary' })}`))}`,
    }),
  forms: {
    add: {
      does: ['orgCreateLabel'],
      handle: async (visit) => {
        await visit.ask('orgCreateLabel', organizationOf(visit), readLabel(visit.fields))
        return visit.path
      },
    },
    edit: {
      does: ['orgEditLabel'],
      handle: async (visit) => {
        const id = visit.fields.required('id')
        await visit.ask('orgEditLabel', { ...organizationOf(visit), id }, readLabel(visit.fields))
        return visit.path
      },
    },
    delete: {
      does: ['orgDeleteLabel'],
      handle: async (visit) => {
        await visit.ask('orgDeleteLabel', { ...organizationOf(visit), id: visit.fields.required('id') })
        return visit.path
      },
    },
  },
})

function labelRow(visit: PageVisit, it: Label): Html {
  return html`<li class="row top"><div class="grow"><details><summary>${label(it)} ${it.description}</summary>${form(visit, 'edit', html`${hidden('id', it.id)}${labelFields(String(it.id), it)}${button(words.saveLabel)}`)}</details></div>${formButton(visit, 'delete', words.delete, { id: it.id }, { tone: 'danger', label: `${words.delete}: ${it.name}` })}</li>`
}

function labelFields(key: string, it?: Label): Html {
  const color = `#${(it?.color ?? 'b4532a').replace('#', '')}`
  return html`<div class="pairs">${field({ id: `name-${key}`, name: 'name', label: words.labelName, value: it?.name ?? '', isRequired: true, maxLength: 50 })}${field({ id: `color-${key}`, name: 'color', label: words.color, type: 'color', value: color })}</div>${field({ id: `description-${key}`, name: 'description', label: words.labelDescription, value: it?.description ?? '' })}${check({ id: `exclusive-${key}`, name: 'exclusive', label: words.exclusive, isChecked: it?.exclusive ?? false })}`
}

function readLabel(fields: {
  required(name: string): string
  text(name: string): string
  flag(name: string): boolean
}) {
  return {
    name: fields.required('name').trim(),
    color: fields.text('color'),
    description: fields.text('description'),
    exclusive: fields.flag('exclusive'),
  }
}

const blockedPage = page({
  path: '/org/:org/settings/blocked_users',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await organizationScope.open(visit, 'blocked')
    const paging = { page: pageNumber(visit), limit: LIMIT }
    return { frame, ...(await visit.list('organizationListBlocks', { ...organizationOf(visit), ...paging })) }
  },
  show: ({ frame, items, total }, visit) =>
    frame({ title: words.general, body: blockedBody(visit, items, total, LIMIT) }),
  forms: blockForms({
    block: (visit, username, note) =>
      visit.ask('organizationBlockUser', { ...organizationOf(visit), username, note }),
    unblock: (visit, username) =>
      visit.ask('organizationUnblockUser', { ...organizationOf(visit), username }),
    does: { block: 'organizationBlockUser', unblock: 'organizationUnblockUser' },
  }),
})

export const organizationGeneralPages: readonly Page[] = [generalPage, labelsPage, blockedPage]
