/** Additions of a review to files: viewed marks, comments below lines, comment forms, and the submit box. */
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import type { Extras } from '../../diff/files.ts'
import type { DiffFile } from '../../diff/source.ts'
import { sameWith } from '../../links.ts'
import { icon } from '../../parts/basics.ts'
import { composer } from '../../parts/conversation/composer.ts'
import { button, check, field, form, formButton, hidden, select, written } from '../../parts/forms.ts'
import { reviewWords as words } from '../../words/pulls.ts'
import { type PullPath, pullHref } from './load.ts'
import { type Thread, threadsOf, threadView } from './threads.ts'
import type { FilesView } from './views.ts'

const VIEWED = 'viewed-form'
const BATCH = 'batch-form'

/** One form for the buttons of all files. */
export function viewedForm(visit: PageVisit): Html {
  return form(visit, 'viewed', nothing, { id: VIEWED })
}

/** The island counts on. */
export function viewedCount({ diff, progress }: FilesView): Html {
  const all = diff.files.length
  const viewed = diff.files.filter(({ change }) => progress.viewed.has(change)).length
  return html`<span class="quiet-text" data-viewed="${words.viewedOf('{n}', all)}">${words.viewedOf(viewed, all)}</span>`
}

/** Commits the suggestions whose boxes are ticked, as one commit. Nothing to see before one of them is. */
export function batchForm(visit: PageVisit, it: FilesView): Html {
  const isOffered = it.remarks.some(({ suggestion, outdated }) => suggestion !== undefined && !outdated)
  if (!isOffered || !it.tip.mayPush || !it.rights.mayJoin) return nothing
  const send = html`<button class="button primary" data-batch="${words.applyMany('{n}')}">${words.applyAll}</button>`
  return form({ ...visit, failed: null }, 'apply', send, { id: BATCH, class: 'inline' })
}

/** The file, and optionally the line, whose comment form is open. */
interface Opened {
  readonly path: string
  readonly side: string
  readonly line: number
  /** The first of several lines. */
  readonly start?: number | undefined
  /** The file was deleted: only the old side has lines. */
  readonly isGone?: boolean
}

/** `?comment=src/main.ts:R12` or `…:R12-15`, or the fields of a refused form. */
function openedOf({ query, failed }: PageVisit): Opened | undefined {
  if (failed?.form === 'remark') {
    const { fields } = failed
    const [line = 0, start] = ['line', 'start'].map((name) => Number(fields.text(name)) || undefined)
    return { path: fields.text('path'), side: fields.text('side'), line, start }
  }
  const asked = query.get('comment')
  if (asked === null) return undefined
  const [, path = asked, side = 'R', first = '0', last] =
    /^(.*):([RL])(\d{1,9})(?:-(\d{1,9}))?$/s.exec(asked) ?? []
  return last === undefined
    ? { path, side, line: Number(first) }
    : { path, side, line: Number(last), start: Number(first) }
}

export function reviewExtras(visit: PageVisit<PullPath>, it: FilesView): Extras {
  const isSomebody = visit.ctx.actor !== null
  const threads = Map.groupBy(
    threadsOf(it.remarks).filter(({ isOutdated }) => !isOutdated),
    ({ path }) => path,
  )
  const opened = it.rights.mayJoin ? openedOf(visit) : undefined
  return (file) => {
    const isViewed = it.progress.viewed.has(file.change)
    const own = opened?.path === file.path ? { ...opened, isGone: file.status === 'deleted' } : undefined
    const below = belowOf(visit, it, threads.get(file.path) ?? [], own)
    return {
      // A file that the address points at is open.
      isClosed: own === undefined && (isViewed || file.isFolded),
      acts: isSomebody ? acts(visit, it, file, isViewed) : nothing,
      // Comments on the whole file are above its lines.
      top: below.has('') ? html`<aside>${below.get('')}</aside>` : undefined,
      below: new Map([...below].filter(([place]) => place !== '')),
    }
  }
}

function acts(
  visit: PageVisit,
  { rights }: FilesView,
  { path, anchor, change }: DiffFile,
  isViewed: boolean,
): Html {
  const to = `${sameWith(visit, { comment: path })}#${anchor}`
  const say = html`<a class="button quiet" href="${to}" aria-label="${words.commentOn(path)}" title="${words.comment}">${icon('message-square')}</a>`
  return html`${rights.mayJoin && say}<button class="button" form="${VIEWED}" name="file" value="${isViewed ? 0 : 1} ${change} ${anchor}" role="checkbox" aria-checked="${isViewed ? 'true' : 'false'}">${words.viewed}</button>`
}

function belowOf(
  visit: PageVisit<PullPath>,
  it: FilesView,
  threads: readonly Thread[],
  opened: Opened | undefined,
): ReadonlyMap<string, Html> {
  const action = pullHref(visit.params, 'files')
  const facts = {
    mayReply: it.rights.mayJoin,
    pending: it.progress.pending?.id,
    action,
    mayApply: it.tip.mayPush,
    batch: BATCH,
    place: it.view.repo.full_name,
  }
  const below = new Map<string, Html>()
  for (const thread of threads) {
    const before = below.get(thread.place) ?? nothing
    below.set(thread.place, html`${before}${threadView(visit, thread, facts)}`)
  }
  if (opened !== undefined) {
    const place = opened.line > 0 ? `${opened.side}${opened.line}` : ''
    below.set(place, html`${below.get(place) ?? nothing}${remarkForm(visit, it, opened)}`)
  }
  return below
}

/** Has fields for line numbers if no line was chosen. */
function remarkForm(visit: PageVisit, it: FilesView, opened: Opened, id = 'remark'): Html {
  const { path, side, line, start, isGone } = opened
  const draft = `${visit.path}#${path}`
  // A refused range can be corrected.
  const isChosen = line > 0 && (visit.failed === null || start === undefined)
  const where = isChosen
    ? html`${placeTitle(opened)}${hidden('side', side)}${hidden('start', start ?? '')}${hidden('line', line)}`
    : html`<div class="actions">${select({
        name: 'side',
        label: words.side,
        options: isGone ? [['L', words.sides.L]] : Object.entries(words.sides),
        value: side,
      })}${field({ name: 'start', label: words.start, type: 'number', help: words.startHint, value: String(start ?? '') })}${field({ name: 'line', label: words.line, type: 'number', value: String(line || ''), ...(isGone ? { isRequired: true } : { help: words.lineHint }) })}</div>`
  const isPending = it.progress.pending !== undefined
  const isOld = !isChosen || side === 'L'
  const sends = isPending
    ? button(words.add, { tone: 'primary', name: 'when', value: 'later' })
    : html`${button(words.begin, { tone: 'primary', name: 'when', value: 'later' })}${button(words.send, { name: 'when', value: 'now' })}`
  return form(
    visit,
    'remark',
    html`${hidden('path', path)}${hidden('commit_id', it.tip.oid)}${where}${composer(visit, { label: words.text, id: `${id}-body`, value: written(visit, 'remark', 'body'), rows: 3, hint: words.suggestHint, draft, place: it.view.repo.full_name, isRequired: true })}<div class="actions">${sends}<button type="button" class="button with-scripts" data-does="suggest"${isOld && html` hidden`}>${icon('file-diff')}${words.suggest}</button><a class="button quiet" href="${sameWith(visit, { comment: undefined })}" data-does="cancel">${words.cancel}</a></div>`,
    { draft, label: words.commentOn(path), id },
  )
}

/** The island replaces the numbers. */
function placeTitle({ line, start }: Opened): Html {
  const title = start === undefined ? words.onLine(line) : words.onLines(start, line)
  return html`<p class="remark-place" data-line="${words.onLine('{line}')}" data-lines="${words.onLines('{start}', '{line}')}">${title}</p>`
}

/** Template for the island, which inserts it below the chosen lines. */
export function remarkTemplate(visit: PageVisit, it: FilesView): Html {
  return html`<template id="remark-template" data-add="${words.addToLine}">${remarkForm({ ...visit, failed: null }, it, { path: '', side: 'R', line: 1 }, 'remark-new')}</template>`
}

/** Opens below its button in the bar, which stays in view. */
export function finishBox(visit: PageVisit<PullPath>, it: FilesView): Html {
  const { pull, progress, tip } = it
  const isOwn = visit.ctx.actor?.id === pull.user.id
  const verdicts =
    isOwn || pull.state !== 'open'
      ? (['COMMENT'] as const)
      : (['COMMENT', 'APPROVED', 'REQUEST_CHANGES'] as const)
  const chosen = written(visit, 'finish', 'event', 'COMMENT')
  const draft = `${visit.path}#finish`
  const options = verdicts.map((it) =>
    check({ type: 'radio', name: 'event', value: it, label: words.verdicts[it], isChecked: it === chosen }),
  )
  const fields = html`${hidden('version', tip.version)}${composer(visit, { label: words.summary, id: 'finish-body', value: written(visit, 'finish', 'body'), rows: 4, draft, place: it.view.repo.full_name })}<fieldset><legend>${words.verdict}</legend>${options}</fieldset>${button(words.submit, { tone: 'primary' })}`
  const action = pullHref(visit.params, 'files')
  const remarks = progress.pending?.remarks ?? 0
  const isOpen = visit.failed?.form === 'finish' || visit.failed?.form === 'discard'
  return html`<details class="finish" id="finish"${isOpen && html` open`}><summary class="button primary" data-key="a">${words.finish(remarks)}</summary><div class="finish-form"><p class="quiet-text">${words.finishHelp(remarks)}</p>${form(visit, 'finish', fields, { action, draft })}${
    progress.pending !== undefined &&
    formButton(visit, 'discard', words.discard, {}, { tone: 'danger', action })
  }</div></details>`
}
