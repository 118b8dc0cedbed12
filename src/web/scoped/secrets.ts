/** Secret and variable pages of any scope. */
import {
  type Html,
  html,
  type Listed,
  type OperationId,
  type Page,
  type PageVisit,
  page,
} from '#platform/page'
import { box, empty, icon, time } from '../parts/basics.ts'
import { area, button, field, form, formButton, hidden, written } from '../parts/forms.ts'
import { pageNumber, pager } from '../parts/pager.ts'
import { settingsWords, secretWords as words } from '../words/settings.ts'
import type { Scope } from './scopes.ts'

interface Secret {
  readonly name: string
  readonly description: string
  readonly created_at: string
}
interface Variable {
  readonly name: string
  readonly data: string
  readonly description: string
}
interface SecretInput {
  readonly name: string
  readonly value: string
  readonly description: string
}

export interface SecretVerbs {
  readonly secrets: (visit: PageVisit, page: number) => Promise<Listed<Secret>>
  readonly putSecret: (visit: PageVisit, given: SecretInput) => Promise<unknown>
  readonly dropSecret: (visit: PageVisit, name: string) => Promise<unknown>
  readonly variables: (visit: PageVisit, page: number) => Promise<Listed<Variable>>
  readonly addVariable: (visit: PageVisit, given: SecretInput) => Promise<unknown>
  readonly editVariable: (visit: PageVisit, given: SecretInput) => Promise<unknown>
  readonly dropVariable: (visit: PageVisit, name: string) => Promise<unknown>
  readonly does: Readonly<
    Record<'putSecret' | 'dropSecret' | 'addVariable' | 'editVariable' | 'dropVariable', OperationId>
  >
}

const LIMIT = 50
const VALUE_MAX = 65_535

export function secretPages(scope: Scope, verbs: SecretVerbs): readonly Page[] {
  return [secretsPage(scope, verbs), variablesPage(scope, verbs)]
}

function secretsPage(scope: Scope, verbs: SecretVerbs): Page {
  return page({
    path: `${scope.base}/actions/secrets`,
    requiresSignIn: true,
    load: async (visit) => {
      const frame = await scope.open(visit, 'secrets')
      return { frame, secrets: await verbs.secrets(visit, pageNumber(visit)) }
    },
    show: ({ frame, secrets: { items, total } }, visit) => {
      const now = visit.ctx.now()
      const one = ({ name, description, created_at }: Secret) =>
        html`<li class="row">${icon('lock')}<div class="grow"><code>${name}</code> ${description} <span class="quiet-text">${words.created} ${time(created_at, now)}</span></div>${remove(visit, name)}</li>`
      return frame({
        title: words.secrets,
        body: html`<h1>${words.secrets}</h1><p>${words.secretsHelp}</p>${
          total === 0
            ? empty(words.noSecrets)
            : html`<div class="box"><ul class="rows dense">${items.map(one)}</ul></div>${pager(visit, total, LIMIT)}`
        }${box(words.addSecret, giveForm(visit))}`,
      })
    },
    forms: {
      give: {
        does: [verbs.does.putSecret],
        handle: async (visit) => {
          await verbs.putSecret(visit, read(visit))
          return visit.path
        },
      },
      delete: {
        does: [verbs.does.dropSecret],
        handle: async (visit) => {
          await verbs.dropSecret(visit, visit.fields.required('name'))
          return visit.path
        },
      },
    },
  })
}

function variablesPage(scope: Scope, verbs: SecretVerbs): Page {
  return page({
    path: `${scope.base}/actions/variables`,
    requiresSignIn: true,
    load: async (visit) => {
      const frame = await scope.open(visit, 'variables')
      return { frame, variables: await verbs.variables(visit, pageNumber(visit)) }
    },
    show: ({ frame, variables: { items, total } }, visit) =>
      frame({
        title: words.variables,
        body: html`<h1>${words.variables}</h1><p>${words.variablesHelp}</p>${
          total === 0
            ? empty(words.noVariables)
            : html`<div class="box"><ul class="rows dense">${items.map((it) => variableRow(visit, it))}</ul></div>${pager(visit, total, LIMIT)}`
        }${box(words.addVariable, giveForm(visit))}`,
      }),
    forms: {
      give: {
        does: [verbs.does.addVariable],
        handle: async (visit) => {
          await verbs.addVariable(visit, read(visit))
          return visit.path
        },
      },
      change: {
        does: [verbs.does.editVariable],
        handle: async (visit) => {
          await verbs.editVariable(visit, read(visit))
          return visit.path
        },
      },
      delete: {
        does: [verbs.does.dropVariable],
        handle: async (visit) => {
          await verbs.dropVariable(visit, visit.fields.required('name'))
          return visit.path
        },
      },
    },
  })
}

function variableRow(visit: PageVisit, { name, data, description }: Variable): Html {
  const change = form(
    visit,
    'change',
    html`${hidden('name', name)}${hidden('description', description)}${area({ id: `value-${name}`, name: 'value', label: words.value, value: data, rows: 2, isCode: true, isRequired: true, maxLength: VALUE_MAX })}${button(words.change)}`,
  )
  return html`<li class="row top"><div class="grow"><details><summary><code>${name}</code> ${description}</summary>${change}</details><code class="value">${data.slice(0, 200)}</code></div>${remove(visit, name)}</li>`
}

function remove(visit: PageVisit, name: string): Html {
  return formButton(
    visit,
    'delete',
    settingsWords.delete,
    { name },
    { tone: 'danger', label: settingsWords.deleteNamed(name) },
  )
}

function giveForm(visit: PageVisit): Html {
  return form(
    visit,
    'give',
    html`<div class="pairs">${field({ name: 'name', label: words.name, value: written(visit, 'give', 'name'), isRequired: true, autocomplete: 'off' })}
${field({ name: 'description', label: words.description, value: written(visit, 'give', 'description') })}</div>
${area({ name: 'value', label: words.value, rows: 3, isCode: true, isRequired: true, maxLength: VALUE_MAX })}${button(settingsWords.add, { tone: 'primary' })}`,
  )
}

function read({
  fields,
}: {
  readonly fields: { required(name: string): string; text(name: string): string }
}): SecretInput {
  return {
    name: fields.required('name').trim(),
    value: fields.required('value'),
    description: fields.text('description'),
  }
}
