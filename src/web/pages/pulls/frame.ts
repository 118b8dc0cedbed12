/** Head of pull request pages: title, state, branches and tabs. */
import type { PullSigns, Turn } from '#domains/review/merges'
import { type Html, html, nothing, type PageVisit, type Rendered } from '#platform/page'
import { links } from '../../links.ts'
import { icon, person, pill, type Tone, tabs, time } from '../../parts/basics.ts'
import { refusal } from '../../parts/forms.ts'
import { issueHead } from '../../parts/issues/issue-head.ts'
import { inRepository } from '../../parts/repository.ts'
import { issueWords } from '../../words/issues.ts'
import { pullWords as words } from '../../words/pulls.ts'
import { turnWords } from '../../words/turns.ts'
import type { PullView } from './load.ts'

type PullTab = 'talk' | 'commits' | 'files'

export function inPull(
  it: PullView,
  tab: PullTab,
  visit: PageVisit,
  shown: Omit<Rendered, 'title'> & { readonly title?: string },
): Rendered {
  const { pull } = it
  const name = `${pull.title} #${pull.number}`
  return inRepository(it.view, 'pulls', visit, {
    ...shown,
    title: shown.title === undefined ? name : `${shown.title} · ${name}`,
    // Rendered here, because the button of a refused suggestion may be gone.
    body: html`<div class="${tab === 'talk' ? '' : 'compact'}">${head(it, visit)}</div>${pullTabs(it, tab)}${refusal(visit, 'apply')}${shown.body}`,
  })
}

function head({ pull, view: { repo }, rights: { mayEdit }, signs }: PullView, visit: PageVisit): Html {
  const about = html`${person(pull.user)} <span class="quiet-text">${pull.merged ? words.merged : words.wants} <code>${pull.base.ref}</code> ${words.from} <code>${headName(pull)}</code> · ${words.opened} ${time(pull.created_at, visit.ctx.now())} · ${issueWords.comments(pull.comments)}</span>`
  const of = { ...pull, pull_request: pull }
  return html`${issueHead(visit, { of, mayEdit, action: links.pull(repo, pull.number), about })}${signs && whoseTurn(pull, signs)}`
}

const TURN_ICONS: Readonly<Partial<Record<Turn, readonly [icon: string, tone: Tone]>>> = {
  ready: ['circle-check', 'good'],
  conflicts: ['circle-x', 'bad'],
  changes: ['user-x', 'bad'],
  failed: ['circle-x', 'bad'],
}

/** What it waits for, and whether that is the viewer. */
function whoseTurn({ user }: PullView['pull'], { turn, ownTurn, requested }: PullSigns): Html {
  if (turn === undefined) return nothing
  const [name, tone] = TURN_ICONS[turn] ?? ['clock', 'warn']
  return html`<p class="whose-turn"><span class="state ${tone}">${icon(name)}</span> ${turnWords.of(turn, user.login, requested)}${ownTurn && html` ${pill(words.yourTurn, 'warn')}`}</p>`
}

/** A branch of another repository is prefixed with its owner. */
export function headName({ head, base }: PullView['pull']): string {
  if (head.repo === null) return words.unknown
  return head.repo_id === base.repo_id
    ? head.label || head.ref
    : `${head.repo.owner.login}:${head.label || head.ref}`
}

function pullTabs({ pull, tip, view: { repo } }: PullView, current: PullTab): Html {
  const one = (tab: PullTab, to: string, iconName: string, key: string, count?: number) => ({
    text: words.tabs[tab],
    to,
    icon: iconName,
    count,
    isCurrent: tab === current,
    key,
  })
  return html`${tabs(
    [
      one(
        'talk',
        links.pull(repo, pull.number),
        'message-square',
        'g t',
        pull.comments + (pull.review_comments ?? 0),
      ),
      one('commits', links.pull(repo, pull.number, 'commits'), 'git-commit-horizontal', 'g m', tip.commits),
      one('files', links.pull(repo, pull.number, 'files'), 'file-diff', 'g f', pull.changed_files),
    ],
    words.pages,
  )}`
}
