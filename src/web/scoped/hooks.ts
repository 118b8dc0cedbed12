/** Webhook pages of any scope: list, edit, deliveries. */
import {
  type Fields,
  type Form,
  type Html,
  html,
  type Listed,
  type OperationId,
  type Page,
  type PageVisit,
  page,
} from '#platform/page'
import type {
  CreateHookOption,
  EditHookOption,
  Hook,
  HookDelivery,
  HookDeliveryDetail,
} from '../gen/contract.ts'
import { box, empty, icon, pill, time } from '../parts/basics.ts'
import { formButton } from '../parts/forms.ts'
import { pageNumber, pager } from '../parts/pager.ts'
import { hookWords as words } from '../words/settings.ts'
import { hookForm, readHook } from './hook-form.ts'
import type { Scope } from './scopes.ts'

type Number = number | string

/** Reads and writes the webhooks of a scope. */
export interface HookVerbs {
  readonly list: (visit: PageVisit, page: number) => Promise<Listed<Hook>>
  readonly get: (visit: PageVisit, id: Number) => Promise<Hook>
  readonly create: (visit: PageVisit, hook: CreateHookOption) => Promise<Hook>
  readonly edit: (visit: PageVisit, id: Number, hook: EditHookOption) => Promise<unknown>
  readonly remove: (visit: PageVisit, id: Number) => Promise<unknown>
  readonly test?: (visit: PageVisit, id: Number) => Promise<unknown>
  readonly deliveries: (visit: PageVisit, id: Number, page: number) => Promise<Listed<HookDelivery>>
  readonly delivery: (visit: PageVisit, id: Number, delivery: Number) => Promise<HookDeliveryDetail>
  readonly redeliver: (visit: PageVisit, id: Number, delivery: Number) => Promise<unknown>
  /** The operations that these functions call. */
  readonly does: {
    readonly create: OperationId
    readonly edit: OperationId
    readonly remove: OperationId
    readonly redeliver: OperationId
    readonly test?: OperationId
  }
}

const LIMIT = 30
const idOf = (visit: PageVisit) => (visit.params as { id: string }).id

export function hookPages(scope: Scope, verbs: HookVerbs): readonly Page[] {
  return [listPage(scope, verbs), newPage(scope, verbs), hookPage(scope, verbs), deliveryPage(scope, verbs)]
}

function listPage(scope: Scope, verbs: HookVerbs): Page {
  return page({
    path: `${scope.base}/hooks`,
    requiresSignIn: true,
    load: async (visit) => {
      const frame = await scope.open(visit, 'hooks')
      return { frame, hooks: await verbs.list(visit, pageNumber(visit)) }
    },
    show: ({ frame, hooks: { items, total } }, visit) => {
      const at = `${scope.at(visit)}/hooks`
      const one = ({ id, type, config, active, events }: Hook) =>
        html`<li class="row">${icon('webhook')}<div class="grow"><a class="title" href="${at}/${id}">${config.url}</a>
<p class="row-facts"><span>${type}</span><span>${events.slice(0, 6).join(', ')}</span></p></div>${!active && pill(words.inactive)}</li>`
      const add = html`<a class="button primary" href="${at}/new" data-key="c">${words.new}</a>`
      return frame({
        title: words.title,
        body: html`<div class="pane-head"><h1>${words.title}</h1>${add}</div><p>${words.help}</p>${
          total === 0
            ? empty(words.none)
            : html`<div class="box"><ul class="rows dense">${items.map(one)}</ul></div>${pager(visit, total, LIMIT)}`
        }`,
      })
    },
  })
}

function newPage(scope: Scope, verbs: HookVerbs): Page {
  return page({
    path: `${scope.base}/hooks/new`,
    requiresSignIn: true,
    load: async (visit) => ({ frame: await scope.open(visit, 'hooks') }),
    show: ({ frame }, visit) =>
      frame({ title: words.new, body: html`<h1>${words.new}</h1>${hookForm(visit, 'create')}` }),
    forms: {
      create: {
        does: [verbs.does.create],
        handle: async (visit) => {
          await scope.open(visit, 'hooks')
          const { id } = await verbs.create(visit, createOf(visit.fields))
          return `${scope.at(visit)}/hooks/${id}`
        },
      },
    },
  })
}

function createOf(fields: Fields): CreateHookOption {
  const { config, ...hook } = readHook(fields)
  return { ...hook, type: fields.text('type') || 'gitea', config }
}

function hookPage(scope: Scope, verbs: HookVerbs): Page {
  return page({
    path: `${scope.base}/hooks/:id`,
    requiresSignIn: true,
    load: async (visit) => {
      const frame = await scope.open(visit, 'hooks')
      const [hook, deliveries] = await Promise.all([
        verbs.get(visit, idOf(visit)),
        verbs.deliveries(visit, idOf(visit), pageNumber(visit)),
      ])
      return { frame, hook, deliveries }
    },
    show: ({ frame, hook, deliveries }, visit) =>
      frame({
        title: words.edit,
        body: html`<h1>${words.edit}</h1>${hookForm(visit, 'save', hook)}<div class="actions pane-acts">${
          verbs.test !== undefined && formButton(visit, 'test', words.test)
        }${formButton(visit, 'delete', words.deleteTitle, {}, { tone: 'danger' })}</div>${box(words.deliveries, deliveryRows(visit, deliveries.items))}${pager(visit, deliveries.total, LIMIT)}`,
      }),
    forms: hookForms(scope, verbs),
  })
}

function hookForms(scope: Scope, verbs: HookVerbs): Record<string, Form> {
  const { test } = verbs
  return {
    save: {
      does: [verbs.does.edit],
      handle: async (visit) => {
        await verbs.edit(visit, idOf(visit), readHook(visit.fields))
        return visit.path
      },
    },
    delete: {
      does: [verbs.does.remove],
      handle: async (visit) => {
        await verbs.remove(visit, idOf(visit))
        return `${scope.at(visit)}/hooks`
      },
    },
    ...(test !== undefined &&
      verbs.does.test !== undefined && {
        test: {
          does: [verbs.does.test],
          handle: async (visit: PageVisit) => {
            await test(visit, idOf(visit))
            return visit.path
          },
        },
      }),
  }
}

function deliveryRows(visit: PageVisit, deliveries: readonly HookDelivery[]): Html {
  const now = visit.ctx.now()
  const one = ({ id, event, state, status_code, created_at }: HookDelivery) =>
    html`<li class="row"><div class="grow"><a class="title" href="${visit.path}/deliveries/${id}">${event}</a> <span class="quiet-text">${time(created_at, now)}</span></div>${statePill(state)}<span class="mono">${status_code ?? '–'}</span></li>`
  if (deliveries.length === 0) return empty(words.noDeliveries)
  return html`<ul class="rows dense">${deliveries.map(one)}</ul>`
}

function statePill(state: HookDelivery['state']): Html {
  const tone = state === 'delivered' ? 'good' : state === 'failed' ? 'bad' : 'plain'
  const iconName = state === 'delivered' ? 'check' : state === 'failed' ? 'x' : 'clock'
  return pill(words.states[state], tone, iconName)
}

function deliveryPage(scope: Scope, verbs: HookVerbs): Page {
  const deliveryOf = (visit: PageVisit) => (visit.params as { delivery: string }).delivery
  return page({
    path: `${scope.base}/hooks/:id/deliveries/:delivery`,
    requiresSignIn: true,
    load: async (visit) => {
      const frame = await scope.open(visit, 'hooks')
      return { frame, delivery: await verbs.delivery(visit, idOf(visit), deliveryOf(visit)) }
    },
    show: ({ frame, delivery }, visit) => {
      const { id, event, state, attempts, error, request, response } = delivery
      return frame({
        title: words.delivery(id),
        body: html`<div class="pane-head"><h1>${event} ${statePill(state)}</h1>${formButton(visit, 'redeliver', words.redeliver)}</div>
<p>${words.attempts(attempts)}, ${time(delivery.created_at, visit.ctx.now())}</p>${error !== '' && html`<p class="flash bad">${error}</p>`}${
          request !== null &&
          box(words.request, html`${message(`${request.method} ${request.url}`, request)}`)
        }${box(words.response, response === null ? html`<p class="box-text">${words.noResponse}</p>` : message(`${words.status} ${response.status_code}`, response))}`,
      })
    },
    forms: {
      redeliver: {
        does: [verbs.does.redeliver],
        handle: async (visit) => {
          await verbs.redeliver(visit, idOf(visit), deliveryOf(visit))
          return `${scope.at(visit)}/hooks/${idOf(visit)}`
        },
      },
    },
  })
}

function message(first: string, said: { headers: Readonly<Record<string, string>>; body: string }): Html {
  const headers = Object.entries(said.headers).map(([name, value]) => `${name}: ${value}`)
  return html`<pre class="box-text scrolls" tabindex="0" aria-label="${words.headers}">${[first, ...headers].join('\n')}</pre>
<pre class="box-text scrolls" tabindex="0" aria-label="${words.body}">${pretty(said.body)}</pre>`
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}
