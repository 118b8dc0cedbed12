/** Runner pages of any scope. */
import { html, type Listed, type OperationId, type Page, type PageVisit, page } from '#platform/page'
import type { ActionRunner, ActionRunnersResponse } from '../gen/contract.ts'
import { empty, icon, pill } from '../parts/basics.ts'
import { formButton } from '../parts/forms.ts'
import { pageNumber, pager } from '../parts/pager.ts'
import { shownOnce } from '../parts/settings.ts'
import { runnerWords as words } from '../words/settings.ts'
import type { Scope } from './scopes.ts'

export interface RunnerVerbs {
  readonly list: (visit: PageVisit, page: number) => Promise<Listed<ActionRunner>>
  readonly token: (visit: PageVisit) => Promise<{ readonly token: string }>
  readonly edit: (visit: PageVisit, id: number, isDisabled: boolean) => Promise<unknown>
  readonly remove: (visit: PageVisit, id: number) => Promise<unknown>
  readonly does: Readonly<Record<'token' | 'edit' | 'remove', OperationId>>
}

const LIMIT = 50

/** Runners of a scope are returned as an object, those of the whole site as an array. */
export function runnersOf({ runners, total_count }: ActionRunnersResponse): Listed<ActionRunner> {
  return { items: runners, total: total_count }
}

export function runnerPages(scope: Scope, verbs: RunnerVerbs): readonly Page[] {
  return [
    page({
      path: `${scope.base}/actions/runners`,
      requiresSignIn: true,
      load: async (visit) => {
        const frame = await scope.open(visit, 'runners')
        return { frame, answer: await verbs.list(visit, pageNumber(visit)) }
      },
      show: ({ frame, answer: { items, total } }, visit) =>
        frame({
          title: words.title,
          body: html`<div class="pane-head"><h1>${words.title}</h1>${formButton(visit, 'token', words.token)}</div><p>${words.help}</p>${
            total === 0
              ? empty(words.none)
              : html`<div class="box"><ul class="rows dense">${items.map((it) => row(visit, it))}</ul></div>${pager(visit, total, LIMIT)}`
          }`,
        }),
      forms: {
        token: {
          does: [verbs.does.token],
          handle: async (visit) => {
            const frame = await scope.open(visit, 'runners')
            const { token } = await verbs.token(visit)
            const more = html`<p>${words.tokenHelp} <code>act_runner register --no-interactive --instance ${visit.ctx.site.url} --token …</code></p>`
            return frame({
              title: words.tokenTitle,
              body: shownOnce(words.tokenTitle, token, visit.path, more),
            })
          },
        },
        toggle: {
          does: [verbs.does.edit],
          handle: async (visit) => {
            await verbs.edit(visit, visit.fields.number('id') ?? 0, visit.fields.flag('disabled'))
            return visit.path
          },
        },
        remove: {
          does: [verbs.does.remove],
          handle: async (visit) => {
            await verbs.remove(visit, visit.fields.number('id') ?? 0)
            return visit.path
          },
        },
      },
    }),
  ]
}

function row(visit: PageVisit, { id, name, status, busy, disabled, ephemeral, labels }: ActionRunner) {
  const isOnline = status !== 'offline'
  return html`<li class="row">${icon('server')}<div class="grow"><strong>${name}</strong><p class="row-facts">${labels.map((it) => html`<span class="mono">${it.name}</span>`)}</p></div>${pill(words.states[status] ?? status, isOnline ? 'good' : 'plain', isOnline ? 'check' : 'circle-dashed')}${busy && pill(words.busy, 'warn')}${ephemeral && pill(words.ephemeral)}${disabled && pill(words.disabled)}
${formButton(visit, 'toggle', disabled ? words.enable : words.disable, { id, disabled: disabled ? 'false' : 'true' }, { label: `${disabled ? words.enable : words.disable}: ${name}` })}${formButton(visit, 'remove', words.remove, { id }, { tone: 'danger', label: `${words.remove}: ${name}` })}</li>`
}
