/** Commits as rows of a list: subject, author, time and id. */
import { type Html, html } from '#platform/page'
import type { Commit } from '../../gen/contract.ts'
import { commitWords as words } from '../../words/diff.ts'
import { avatar, initials, person, pill, time } from '../basics.ts'

/** First line of the message. */
export function subjectOf({ commit }: Pick<Commit, 'commit'>): string {
  return commit.message.split('\n', 1)[0] ?? ''
}

/** The message without its first line. */
export function detailsOf({ commit }: Pick<Commit, 'commit'>): string {
  return commit.message.slice(subjectOf({ commit }).length).trim()
}

export function author({ author, commit }: Commit): Html {
  return author === null ? html`<strong>${commit.author.name}</strong>` : person(author)
}

/** Whether the signature is verified; nothing without a signature. */
export function verified({ commit: { verification } }: Commit): Html {
  if (verification === null || verification.signature === '') return html``
  return verification.verified ? pill(words.verified, 'good', 'shield-check') : pill(words.unverified, 'warn')
}

interface RowsFacts {
  readonly now: Date
  /** Address of a commit. */
  readonly to: (sha: string) => string
}

export function commitRows(commits: readonly Commit[], { now, to }: RowsFacts): Html {
  const one = (it: Commit) =>
    html`<li class="row">${it.author === null ? initials(it.commit.author.name) : avatar(it.author)}<div class="grow"><a class="title" href="${to(it.sha)}">${subjectOf(it)}</a></div><span class="line-facts quiet-text">${it.author?.login ?? it.commit.author.name}, ${time(it.commit.committer.date, now)}</span>${verified(it)}<a class="mono" href="${to(it.sha)}" aria-label="${words.commitNamed(it.sha.slice(0, 10))}">${it.sha.slice(0, 10)}</a></li>`
  return html`<ul class="rows dense">${commits.map(one)}</ul>`
}
