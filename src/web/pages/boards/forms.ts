/** Forms of a board. */
import type { RuleEvent } from '#domains/work/projects'
import { addressOf, type Form, type FormVisit, type PageVisit } from '#platform/page'
import { invalid } from '#platform/problem'
import { boardWords as words } from '../../words/boards.ts'
import type { BoardHome, HomeKind } from './home.ts'

type Visit = FormVisit<{ readonly id: string }>
type Doing = (home: BoardHome, visit: Visit, id: string) => Promise<unknown>

/** In the order that pages show them. */
export const RULE_EVENTS: readonly RuleEvent[] = ['closed', 'merged', 'reopened']

export function boardForms<Params>(kind: HomeKind<Params>): Record<string, Form> {
  const opened = (act: Doing) => async (visit: FormVisit) => {
    const own = visit as Visit
    const home = await kind.open(visit as unknown as PageVisit<Params>)
    await act(home, own, own.params.id)
    return addressOf(visit)
  }
  return {
    move: { does: kind.does('MoveProjectIssue'), handle: opened(moveAll) },
    take: { does: kind.does('RemoveIssueFromProjectColumn'), handle: opened(takeAll) },
    put: { does: [...kind.does('AddIssueToProjectColumn'), 'issueCreateIssue'], handle: opened(put) },
    'add-column': {
      does: kind.does('CreateProjectColumn'),
      handle: opened(({ place }, { fields }, id) => place.addColumn(id, { title: fields.required('title') })),
    },
    'edit-column': {
      does: kind.does('EditProjectColumn'),
      handle: opened(({ place }, { fields }, id) =>
        place.editColumn(id, fields.required('column'), {
          title: fields.required('title'),
          color: fields.text('color'),
        }),
      ),
    },
    'delete-column': {
      does: kind.does('DeleteProjectColumn'),
      handle: opened(({ place }, { fields }, id) => place.deleteColumn(id, fields.required('column'))),
    },
    'default-column': {
      does: kind.does('SetDefaultProjectColumn'),
      handle: opened(({ place }, { fields }, id) => place.chooseDefault(id, fields.required('column'))),
    },
    rules: {
      does: kind.does('SetColumnRules'),
      handle: opened(({ place }, { fields }, id) =>
        place.setRules(
          id,
          fields.required('column'),
          RULE_EVENTS.filter((it) => fields.flag(it)),
        ),
      ),
    },
    order: {
      does: kind.does('MoveProjectColumns'),
      handle: opened(({ place }, { fields }, id) =>
        place.orderColumns(id, fields.required('order').split(',').map(Number)),
      ),
    },
    edit: {
      does: kind.does('EditProject'),
      handle: opened(({ place }, { fields }, id) =>
        place.edit(id, { title: fields.required('title'), description: fields.text('description') }),
      ),
    },
    close: {
      does: kind.does('EditProject'),
      handle: opened(({ place }, _, id) => place.edit(id, { state: 'closed' })),
    },
    reopen: {
      does: kind.does('EditProject'),
      handle: opened(({ place }, _, id) => place.edit(id, { state: 'open' })),
    },
    delete: {
      does: kind.does('DeleteProject'),
      handle: async (visit) => {
        const home = await kind.open(visit as unknown as PageVisit<Params>)
        await home.place.delete((visit as Visit).params.id)
        return home.root
      },
    },
  }
}

/** To the end of a column, to a position in it, or before one of its cards; cards after it are renumbered. */
async function moveAll({ place }: BoardHome, { fields }: Visit, id: string): Promise<void> {
  const issues = fields.numbers('issue')
  const column_id = fields.number('column')
  const [position, before] = [fields.number('position'), fields.number('before')]
  if (issues.length === 0 || column_id === undefined) throw invalid(words.nothingSelected)
  if (position === undefined && before === undefined) {
    for (const issue of issues) await place.move(id, issue, { column_id })
    return
  }
  const moved = new Set(issues)
  const items = (await place.cards(id)).get(column_id)?.items ?? []
  const others = items.map((it) => it.id).filter((it) => !moved.has(it))
  const at = before === undefined ? Math.max(0, position ?? 0) : others.indexOf(before)
  const order = others.toSpliced(at < 0 ? others.length : at, 0, ...issues)
  for (const [sorting, issue] of order.entries()) await place.move(id, issue, { column_id, sorting })
}

async function takeAll({ place }: BoardHome, { fields }: Visit, id: string): Promise<void> {
  const wanted = new Set(fields.numbers('issue'))
  if (wanted.size === 0) throw invalid(words.nothingSelected)
  for (const [column, { items }] of await place.cards(id))
    for (const { id: issue } of items) if (wanted.has(issue)) await place.take(id, column, issue)
}

/** Adds an issue by its number, such as `owner/name#12`; on the board of a repository any other text is a new issue. */
async function put({ place, repository }: BoardHome, { ask, fields }: Visit, id: string): Promise<void> {
  const text = fields.required('issue').trim()
  const column = fields.required('column')
  const found = /^(?:([^/\s]+)\/([^/\s#]+))?#?(\d{1,15})$/.exec(text)
  const [, owner = repository?.owner, repo = repository?.name, index = ''] = found ?? []
  if (owner === undefined || repo === undefined) throw invalid(words.cardInvalid)
  const issue =
    found === null
      ? await ask('issueCreateIssue', { owner, repo }, { title: text })
      : await ask('issueGetIssue', { owner, repo, index })
  await place.put(id, column, issue.id)
}
