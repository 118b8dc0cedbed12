/** A commit in one line: author, subject, check status, id and time. */
import { type Html, html, nothing } from '#platform/page'
import type { CombinedStatus, Commit } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { codeWords as words } from '../../words/code.ts'
import { avatar, icon, initials, pill, time } from '../basics.ts'
import { shortId } from './code-head.ts'

interface Named {
  readonly full_name: string
}

type State = CombinedStatus['state']

const SIGNS: Readonly<Record<State, readonly [icon: string, tone: string]>> = {
  success: ['circle-check', 'good'],
  pending: ['circle-dot', 'warn'],
  failure: ['circle-x', 'bad'],
  error: ['octagon-alert', 'bad'],
  warning: ['triangle-alert', 'warn'],
  skipped: ['circle-slash', 'quiet'],
}

export function subjectOf(message: string): string {
  return message.split('\n', 1)[0]?.trim() || '–'
}

/** Combined commit status as an icon; nothing without statuses. */
export function checkSign(state: State | undefined): Html {
  if (state === undefined) return nothing
  const [name, tone] = SIGNS[state]
  return html`<span class="sign ${tone}">${icon(name, words.checks[state])}</span>`
}

/** The account of the author, or the name in the commit. */
export function authorOf({ author, commit }: Pick<Commit, 'author' | 'commit'>, size = 20): Html {
  if (author === null)
    return html`<span class="person">${initials(commit.author.name, size)} ${commit.author.name}</span>`
  return html`<a class="person" href="${links.account(author.login)}">${avatar(author, size)} ${author.full_name || author.login}</a>`
}

export function verifiedPill({ commit }: Pick<Commit, 'commit'>): Html {
  return commit.verification?.verified === true ? pill(words.verified, 'good', 'shield-check') : nothing
}

export function commitLine(
  repo: Named,
  commit: Commit,
  { state, now }: { readonly state?: State | undefined; readonly now: Date },
  ...more: readonly Html[]
): Html {
  const { sha } = commit
  return html`<div class="commit-line">${authorOf(commit)}<a class="clip grow" href="${links.commit(repo, sha)}">${subjectOf(commit.commit.message)}</a>
${checkSign(state)}<a class="mono quiet-text" href="${links.commit(repo, sha)}">${shortId(sha)}</a><span class="quiet-text">${time(commit.commit.committer.date, now)}</span>${more}</div>`
}
