/** Line comments, grouped into threads by line, and their forms. */
import type { PullLine } from '#domains/review/reviews'
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import { suggestedChange } from '../../diff/suggested.ts'
import type { Repository } from '../../gen/contract.ts'
import { markdownOfAll } from '../../markdown.ts'
import { icon, person, pill, time } from '../../parts/basics.ts'
import { composer } from '../../parts/conversation/composer.ts'
import { button, form, formButton, hidden, written } from '../../parts/forms.ts'
import { reviewWords as words } from '../../words/pulls.ts'

export interface Remark extends PullLine {
  readonly html: Html
}

export interface Thread {
  readonly path: string
  /** `R12`: line 12 of the new side; empty for the whole file. */
  readonly place: string
  readonly line: number
  /** The first line; the same as `line` if there is only one. */
  readonly start: number
  readonly remarks: readonly Remark[]
  readonly resolver: string | null
  readonly isOutdated: boolean
  readonly hunk: string
}

export async function renderRemarks(
  visit: PageVisit,
  repo: Repository,
  remarks: readonly PullLine[],
): Promise<Remark[]> {
  const texts = remarks.map(({ body, suggestion: it }) => (it === undefined ? [body] : [it.before, it.after]))
  const rendered = await markdownOfAll(
    visit,
    texts.flat().map((text) => ({ text })),
    repo,
  )
  const shown: Remark[] = []
  for (const [i, remark] of remarks.entries()) {
    const [before, after] = rendered.splice(0, texts[i]?.length ?? 1)
    const { suggestion } = remark
    const diff = suggestion && (await suggestionView(remark, suggestion))
    shown.push({ ...remark, html: html`${before}${diff}${after}` })
  }
  return shown
}

function suggestionView(
  { path, position, start_line }: PullLine,
  { removed, added }: NonNullable<PullLine['suggestion']>,
): Promise<Html> {
  return suggestedChange({ path, start: start_line ?? position, removed, added })
}

/** In the order of their first comments. */
export function threadsOf(remarks: readonly Remark[]): Thread[] {
  const groups = new Map<string, Remark[]>()
  for (const it of remarks) {
    const key = [it.path, placeOf(it), it.start_line, it.outdated ? it.commit_id : ''].join('\0')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [it])
    else group.push(it)
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const line = first.position || first.original_position
    return {
      path: first.path,
      place: placeOf(first),
      line,
      start: first.start_line ?? line,
      remarks: group,
      resolver: first.resolver?.login ?? null,
      isOutdated: first.outdated,
      hunk: first.diff_hunk,
    }
  })
}

function placeOf({ position, original_position }: PullLine): string {
  if (position > 0) return `R${position}`
  return original_position > 0 ? `L${original_position}` : ''
}

export interface ThreadFacts {
  readonly mayReply: boolean
  /** The viewer's pending review. */
  readonly pending: number | undefined
  /** The page that has the forms. */
  readonly action: string
  readonly mayApply: boolean
  /** The id of the form that commits several suggestions at once. */
  readonly batch?: string
  /** `owner/name` of the repository. */
  readonly place: string
}

/** Resolved threads are collapsed. */
export function threadView(visit: PageVisit, thread: Thread, facts: ThreadFacts): Html {
  const { remarks, resolver, path, line, start } = thread
  const content = html`${start < line && html`<p class="quiet-text">${words.lines(start, line)}</p>`}${remarks.map((it) => remark(visit, it, facts))}${facts.mayReply && acts(visit, thread, facts)}`
  const name = line === 0 ? words.threadOfFile(path) : words.thread(path, line, start)
  return resolver === null
    ? html`<section class="thread" aria-label="${name}">${content}</section>`
    : html`<details class="thread" aria-label="${name}"><summary>${icon('check')} ${words.resolved(resolver)}</summary>${content}</details>`
}

function remark({ ctx }: PageVisit, it: Remark, { pending }: ThreadFacts): Html {
  const anchor = `issuecomment-${it.id}`
  return html`<article class="remark" id="${anchor}"><header>${person(it.user)} <a class="quiet-text" href="#${anchor}">${time(it.created_at, ctx.now())}</a> ${
    it.pull_request_review_id === pending && pill(words.pending, 'warn')
  }${it.outdated && pill(words.outdated)}</header>${it.html}</article>`
}

function acts(
  visit: PageVisit,
  { remarks, resolver }: Thread,
  { action, mayApply, batch, place }: ThreadFacts,
): Html {
  const [first] = remarks
  if (first === undefined) return nothing
  const { id } = first
  const suggested = remarks.findLast(({ suggestion }) => suggestion !== undefined)
  const isOpen = visit.failed?.form === 'reply' && visit.failed.fields.number('id') === id
  const draft = `${action}#${id}`
  const reply = html`${hidden('id', id)}${composer(visit, { label: words.reply, id: `reply-${id}`, value: isOpen ? written(visit, 'reply', 'body') : '', rows: 3, isLabelHidden: true, isRequired: true, action, draft, place })}${button(words.reply)}`
  return html`<div class="actions"><details${isOpen && html` open`}><summary class="button">${icon('reply')}${words.reply}</summary>${form(visit, 'reply', reply, { action, draft })}</details>
${formButton(visit, resolver === null ? 'resolve' : 'unresolve', resolver === null ? words.resolve : words.unresolve, { id }, { action, tone: 'quiet' })}${
  suggested !== undefined &&
  mayApply &&
  html`${formButton({ ...visit, failed: null }, 'apply', words.apply, { id: suggested.id }, { action })}${batch !== undefined && resolver === null && batchBox(batch, suggested.id)}`
}</div>`
}

function batchBox(form: string, id: number): Html {
  return html`<label class="button"><input type="checkbox" form="${form}" name="id" value="${id}">${words.batch}</label>`
}
