/** Users that a user or an organization blocks. */
import { type Form, type Html, html, type OperationId, type PageVisit } from '#platform/page'
import type { User } from '../../gen/contract.ts'
import { ownWords as words } from '../../words/own-settings.ts'
import { box, empty } from '../basics.ts'
import { button, field, form, formButton, written } from '../forms.ts'
import { pager } from '../pager.ts'
import { peopleList } from './people-list.ts'

export function blockedBody(visit: PageVisit, people: readonly User[], total: number, limit: number): Html {
  const unblock = ({ login }: User) =>
    formButton(visit, 'unblock', words.unblock, { username: login }, { label: `${words.unblock}: ${login}` })
  return html`<h1>${words.blocked}</h1><p>${words.blockedHelp}</p>${
    total === 0
      ? empty(words.noBlocked)
      : html`<div class="box">${peopleList(people, visit.ctx.now(), unblock)}</div>${pager(visit, total, limit)}`
  }${box(
    words.block,
    form(
      visit,
      'block',
      html`<div class="pairs">${field({ name: 'username', label: words.username, value: written(visit, 'block', 'username'), isRequired: true, autocomplete: 'off' })}${field({ name: 'note', label: words.note, value: written(visit, 'block', 'note') })}</div>${button(words.block, { tone: 'danger' })}`,
    ),
  )}`
}

interface BlockVerbs {
  readonly block: (visit: PageVisit, username: string, note: string) => Promise<unknown>
  readonly unblock: (visit: PageVisit, username: string) => Promise<unknown>
  readonly does: { readonly block: OperationId; readonly unblock: OperationId }
}

export function blockForms({ block, unblock, does }: BlockVerbs): Record<'block' | 'unblock', Form> {
  return {
    block: {
      does: [does.block],
      handle: async (visit) => {
        await block(visit, visit.fields.required('username').trim(), visit.fields.text('note'))
        return visit.path
      },
    },
    unblock: {
      does: [does.unblock],
      handle: async (visit) => {
        await unblock(visit, visit.fields.required('username'))
        return visit.path
      },
    },
  }
}
