/** What completes `@user`, `#issue` and `:emoji:` in a text: fetched by an island. */
import { type Html, html, type Page, type PageVisit, page, region } from '#platform/page'
import { avatar, empty } from '../../parts/basics.ts'
import { stateIcon } from '../../parts/issues/issue-list.ts'
import { conversationWords as words } from '../../words/conversation.ts'

const SOME = 8
const QUERY_MAX = 50

interface Suggestion {
  /** What replaces the typed word. */
  readonly insert: string
  readonly shown: Html
}

const KINDS: Readonly<Record<string, (visit: PageVisit, q: string) => Promise<Suggestion[]>>> = {
  users: suggestUsers,
  issues: suggestIssues,
  emoji: suggestEmoji,
}

const suggestPage = page({
  path: '/-/suggest',
  requiresSignIn: true,
  load: async (visit) => {
    const suggest = KINDS[visit.query.get('kind') ?? '']
    return (await suggest?.(visit, (visit.query.get('q') ?? '').slice(0, QUERY_MAX))) ?? []
  },
  show: (found) => ({
    title: words.suggestions,
    body: html`<h1>${words.suggestions}</h1>${region('suggestions', list(found))}`,
  }),
})

function list(found: readonly Suggestion[]): Html {
  if (found.length === 0) return empty(words.noSuggestions)
  return html`<ul class="suggestions" role="listbox" aria-label="${words.suggestions}">${found.map(
    ({ insert, shown }) =>
      html`<li role="option" aria-selected="false" data-insert="${insert}">${shown}</li>`,
  )}</ul>`
}

async function suggestUsers({ ask }: PageVisit, q: string): Promise<Suggestion[]> {
  if (q === '') return []
  const { data } = await ask('userSearch', { q, limit: SOME })
  return data.map((it) => ({
    insert: `@${it.login}`,
    shown: html`${avatar(it)} <strong>${it.login}</strong> <span class="quiet-text">${it.full_name}</span>`,
  }))
}

/** Of the repository that the text belongs to. */
async function suggestIssues({ maybe, query }: PageVisit, q: string): Promise<Suggestion[]> {
  const [owner = '', repo = ''] = (query.get('place') ?? '').split('/')
  if (owner === '' || repo === '') return []
  const isNumber = /^\d{1,9}$/.test(q)
  const exact = isNumber ? await maybe('issueGetIssue', { owner, repo, index: Number(q) }) : undefined
  const found = await maybe('issueListIssues', { owner, repo, q, state: 'all', limit: SOME })
  const all = [...(exact ? [exact] : []), ...(found ?? []).filter((it) => it.number !== exact?.number)]
  return all.slice(0, SOME).map((it) => ({
    insert: `#${it.number}`,
    shown: html`${stateIcon(it)} <span class="quiet-text">#${it.number}</span> ${it.title}`,
  }))
}

async function suggestEmoji({ ask }: PageVisit, q: string): Promise<Suggestion[]> {
  const found = await ask('markupFindEmoji', { q, limit: SOME })
  return found.map(({ name, character }) => ({ insert: character, shown: html`${character} ${name}` }))
}

export const suggestPages: readonly Page[] = [suggestPage]
