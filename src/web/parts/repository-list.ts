/** List of repositories. */
import { type Html, html, type Piece } from '#platform/page'
import type { Repository } from '../gen/contract.ts'
import { links, withQuery } from '../links.ts'
import { exploreWords } from '../words/explore.ts'
import { repositoryWords as words } from '../words/repository.ts'
import { icon, pill, time } from './basics.ts'

const TOPICS_SHOWN = 6

/** `acts`: forms for each repository. */
export function repositoryList(
  repositories: readonly Repository[],
  now: Date,
  acts?: (repo: Repository) => Piece,
): Html {
  return html`<ul class="rows repositories">${repositories.map((it) => repositoryRow(it, now, acts?.(it)))}</ul>`
}

function repositoryRow(repo: Repository, now: Date, acts: Piece): Html {
  const kind = repo.private ? 'lock' : repo.mirror ? 'refresh-cw' : repo.fork ? 'git-fork' : 'book'
  return html`<li class="row">${icon(kind)}<div class="grow"><a class="title" href="${links.repository(repo)}">${repo.full_name}</a>
${repo.private && pill(words.private)}${repo.internal && pill(words.internal)}${repo.archived && pill(words.archived, 'warn')}${repo.template && pill(words.template)}
${repo.description !== '' && html`<p class="row-text">${repo.description}</p>`}<p class="row-facts">${
    repo.language !== '' && html`<span>${repo.language}</span>`
  }${fact('star', exploreWords.stars, repo.stars_count)}${fact('git-fork', exploreWords.forks, repo.forks_count)}<span>${exploreWords.updated} ${time(repo.updated_at, now)}</span>${repo.topics
    .slice(0, TOPICS_SHOWN)
    .map(topic)}</p></div>${acts}</li>`
}

function topic(name: string): Html {
  return html`<a class="topic" href="${withQuery(links.explore, { q: name, topic: true })}">${name}</a>`
}

function fact(iconName: string, what: string, number: number): Html {
  return html`${number > 0 && html`<span>${icon(iconName, what)} ${number}</span>`}`
}
