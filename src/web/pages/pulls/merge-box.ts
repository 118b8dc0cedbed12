/** The merge box: each condition as a line, and the available actions. */

import type { Condition } from '#domains/code/protections'
import type { MergeOutlook } from '#domains/review/merges'
import { type Html, html, nothing, type PageVisit, type Piece } from '#platform/page'
import type { CombinedStatus, Repository } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { icon, person, time } from '../../parts/basics.ts'
import {
  area,
  button,
  check,
  field,
  form,
  formButton,
  hidden,
  refusal,
  select,
  written,
} from '../../parts/forms.ts'
import { checksLine } from '../../parts/runs/checks.ts'
import { conflictWords } from '../../words/conflicts.ts'
import { mergeWords as words } from '../../words/pulls.ts'
import { conflictRecipe } from './conflict-recipe.ts'
import type { PullView } from './load.ts'

type Style = keyof typeof words.styles

const SWITCHES: readonly (readonly [Style, keyof Repository])[] = [
  ['merge', 'allow_merge_commits'],
  ['rebase', 'allow_rebase'],
  ['rebase-merge', 'allow_rebase_explicit'],
  ['squash', 'allow_squash_merge'],
  ['fast-forward-only', 'allow_fast_forward_only_merge'],
  ['manually-merged', 'allow_manual_merge'],
]

const NAMED_MAX = 20

/** By the result of the merge check. */
const UNMERGEABLE: Readonly<Record<string, 'conflict' | 'merged' | 'unrelated' | undefined>> = {
  conflict: 'conflict',
  merged: 'merged',
  unrelated: 'unrelated',
}

interface MergeFacts extends PullView {
  readonly outlook: MergeOutlook
  readonly status: CombinedStatus | undefined
}

export function mergeBox(visit: PageVisit, it: MergeFacts): Html {
  const { pull, status } = it
  if (pull.state === 'closed') return over(visit, it)
  return html`<section class="box merge-box" id="merge"><header class="box-head"><h2>${words.title}</h2></header>${checksLine(status)}${waiting(visit, it)}</section>`
}

function over(visit: PageVisit, it: MergeFacts): Html {
  const said = it.pull.merged ? landed(visit, it) : words.closed
  return html`<section class="box merge-box" id="merge"><h2 class="unseen">${words.title}</h2><div class="box-text spread"><p class="grow">${said}</p>${afterwards(visit, it)}</div></section>`
}

function landed({ ctx }: PageVisit, { pull, view: { repo } }: MergeFacts): Html {
  const { merge_commit_sha: sha, merged_by, merged_at } = pull
  return html`${icon('git-merge')} ${words.merged} ${merged_by && html`${words.by} ${person(merged_by)}`} ${
    sha !== null &&
    html`${words.as} <a class="mono" href="${links.commit(repo, sha)}">${sha.slice(0, 10)}</a>`
  } ${time(merged_at, ctx.now())}`
}

function branchButton(visit: PageVisit, act: 'delete' | 'restore'): Html {
  return act === 'delete'
    ? formButton(visit, 'delete-branch', words.deleteNow)
    : formButton(visit, 'restore-branch', words.restore)
}

function afterwards(visit: PageVisit, { pull, outlook: { closed }, view: { repo } }: MergeFacts): Html {
  const { merge_commit_sha: sha, base } = pull
  const isRefused = visit.failed?.form === 'revert'
  const branch = closed.branch === null ? refusal(visit, 'delete-branch') : branchButton(visit, closed.branch)
  return html`${
    closed.mayRevert &&
    sha !== null &&
    // The page of its own lets the branch be chosen, and names the files in conflict.
    (isRefused
      ? html`${refusal(visit, 'revert')}<a class="button" href="${links.pick(repo, sha, true, base.ref)}">${words.revert}</a>`
      : formButton(visit, 'revert', words.revert))
  }${branch}`
}

function waiting(visit: PageVisit, it: MergeFacts): Html {
  const { outlook } = it
  const update = updates(visit, it)
  const hasLine = outlook.conditions.some(({ kind }) => kind === 'up to date')
  const isBehind = outlook.isBehind && !hasLine
  return html`<ul class="rows">${outlook.conditions.map((it) => line(it, it.kind === 'up to date' ? update : nothing))}${
    isBehind ? row('arrow-down', 'plain', words.behind, update) : nothing
  }</ul>${outlook.mayResolve && html`<div class="box-text"><a class="button" href="${links.pull(it.view.repo, it.pull.number, 'conflicts')}">${icon('file-diff')}${conflictWords.title}</a></div>`}${outlook.conditions.some(isConflict) && conflictRecipe(it)}
<div class="box-text">${acts(visit, it)}</div>`
}

function isConflict({ kind, isMet, found }: Condition): boolean {
  return kind === 'mergeable' && !isMet && found === 'conflict'
}

function line(condition: Condition, action: Html): Html {
  const { isMet, found, names = [] } = condition
  if (found === 'checking') return row('circle-dashed', 'warn', words.mergeable.checking)
  const more = isMet || names.length === 0 ? nothing : named(names)
  const text = html`${textOf(condition)}${more}`
  return row(isMet ? 'circle-check' : 'circle-x', isMet ? 'good' : 'bad', text, action)
}

function textOf({ kind, isMet, found, given = 0, wanted = 0 }: Condition): string {
  if (kind === 'approvals') return words.approvals(given, wanted)
  if (isMet) return words[kind].met
  return kind === 'mergeable' ? words.mergeable[UNMERGEABLE[found ?? ''] ?? 'missing'] : words[kind].missing
}

/** Conflicting files, or checks. */
function named(names: readonly string[]): Html {
  const left = names.length - NAMED_MAX
  return html`<ul>${names.slice(0, NAMED_MAX).map((it) => html`<li><code>${it}</code></li>`)}${left > 0 && html`<li>${words.andMore(left)}</li>`}</ul>`
}

function row(iconName: string, tone: string, text: Piece, action: Piece = nothing): Html {
  return html`<li class="row"><span class="state ${tone}">${icon(iconName)}</span><div class="grow">${text}</div>${action}</li>`
}

function acts(visit: PageVisit, it: MergeFacts): Html {
  const { outlook } = it
  if (!outlook.mayMerge) return html`<p class="quiet-text">${words.mayNot}</p>`
  const quiet = { tone: 'quiet' } as const
  if (outlook.isQueued)
    return html`<p>${words.queued}</p>${formButton(visit, 'unqueue', words.unqueue, {}, quiet)}`
  const scheduled = outlook.isScheduled
    ? html`<p>${icon('clock')} ${words.scheduled}</p>${formButton(visit, 'unschedule', words.cancel, {}, quiet)}`
    : nothing
  return html`${scheduled}${mergeForm(visit, it)}`
}

function mergeForm(visit: PageVisit, { view: { repo }, pull, outlook }: MergeFacts): Html {
  const { isReady } = outlook
  const styles = SWITCHES.filter(([, allows]) => repo[allows] === true).map(([style]) => style)
  const was = (name: string, value = '') => written(visit, 'merge', name, value)
  const fields = html`${hidden('head', pull.head.sha)}${select({
    name: 'style',
    label: words.style,
    options: styles.map((it) => [it, words.styles[it]]),
    value: was('style', repo.default_merge_style),
  })}<details${visit.failed?.form === 'merge' && html` open`}><summary>${words.message}</summary>${field({ name: 'subject', label: words.subject, value: was('subject'), help: words.subjectHelp })}${area({ name: 'message', label: words.message, value: was('message'), rows: 4 })}${
    styles.includes('manually-merged') &&
    field({ name: 'commit', label: words.commit, value: was('commit'), maxLength: 64 })
  }</details>${
    pull.head.repo !== null &&
    check({
      name: 'delete_branch',
      label: words.deleteBranch,
      isChecked: repo.default_delete_branch_after_merge,
    })
  }${!isReady && outlook.mayForce && check({ name: 'force', label: words.force })}<div class="actions">${splitButton(outlook)}</div>`
  return form(visit, 'merge', fields)
}

/** Merges now; auto-merge and the queue are in its menu. */
function splitButton({ isReady, isScheduled, mayForce }: MergeOutlook): Html {
  const now = button(html`${icon('git-merge')}${words.merge}`, {
    tone: 'primary',
    name: 'when',
    value: 'now',
    isDisabled: !isReady && !mayForce,
  })
  const item = (value: string, name: string, text: string) =>
    html`<button class="item" name="when" value="${value}">${icon(name)}${text}</button>`
  return html`<div class="buttons split-button menu">${now}<button type="button" class="button primary" popovertarget="merge-more" aria-label="${words.more}" title="${words.more}">${icon('chevron-down')}</button></div><div id="merge-more" popover class="menu-items">${
    !isScheduled && item('ready', 'clock', words.whenReady)
  }${item('queue', 'list-ordered', words.queue)}</div>`
}

/** Beside the line that says that the branch is behind. */
function updates(visit: PageVisit, { outlook, view: { repo } }: MergeFacts): Html {
  if (!outlook.mayUpdate) return nothing
  return html`<div class="actions">${repo.allow_merge_update && formButton(visit, 'update', words.update, { style: 'merge' })}${repo.allow_rebase_update && formButton(visit, 'update', words.updateRebase, { style: 'rebase' })}</div>`
}
