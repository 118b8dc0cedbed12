/** Editor of wiki pages. */
import { type Fields, type Form, type FormVisit, type Html, html, type PageVisit } from '#platform/page'
import { draftsOf } from '../../../drafts.ts'
import type { WikiPage } from '../../../gen/contract.ts'
import { links, type RepositoryPath, repositoryAt } from '../../../links.ts'
import { composer } from '../../../parts/conversation/composer.ts'
import { button, field, form, formButton, written } from '../../../parts/forms.ts'
import { assertAllowed, type RepositoryView } from '../../../parts/repository.ts'
import { wikiWords as words } from '../../../words/wiki.ts'

/** State of the editor. */
export interface WikiEditor {
  /** Undefined for a new page. */
  readonly page: WikiPage | undefined
  readonly title: string
  readonly text: string
  /** Place of the draft of a new page. */
  readonly draft: string | undefined
}

/** Only a new page continues a draft: an existing one may have changed since. */
export async function loadEditor(
  visit: PageVisit<RepositoryPath>,
  { repo, may }: RepositoryView,
  page: WikiPage | undefined,
): Promise<WikiEditor> {
  assertAllowed(may.wiki.write)
  if (page !== undefined) {
    const text = Buffer.from(page.content_base64, 'base64').toString('utf8')
    return { page, title: page.title, text, draft: undefined }
  }
  const draft = `wiki:${repo.id}`
  const begun = await draftsOf(visit, `${draft}#title`, `${draft}#text`)
  return { page, title: begun[`${draft}#title`] ?? '', text: begun[`${draft}#text`] ?? '', draft }
}

export function editor(visit: PageVisit, { repo }: RepositoryView, edited: WikiEditor): Html {
  const { page, title, text, draft } = edited
  const value = (name: string, old: string) => written(visit, 'save', name, old)
  const back = page === undefined ? links.wiki(repo) : links.wiki(repo, page.sub_url)
  const content = html`${field({ name: 'title', label: words.pageTitle, value: value('title', title), isRequired: true })}
${composer(visit, { name: 'text', label: words.text, draft, value: value('text', text), place: repo.full_name, mode: 'wiki', rows: 18, maxLength: 1_000_000 })}
${field({ name: 'message', label: words.message, value: value('message', '') })}
<div class="actions">${button(words.save, { tone: 'primary' })}<a class="button quiet" href="${back}">${words.cancel}</a></div>`
  return html`<div class="wiki-editor"><h1>${page === undefined ? words.new : words.editTitle(page.title)}</h1>${form(visit, 'save', content, draft === undefined ? {} : { draft })}</div>`
}

export function deleteForm(visit: PageVisit, { page }: WikiEditor): Html {
  return html`${page && html`<section class="box settings"><header class="box-head"><h2>${words.delete}</h2></header><div class="box-text"><p>${words.deleteHelp}</p>${formButton(visit, 'delete', words.deleteNow, {}, { tone: 'danger' })}</div></section>`}`
}

/** The fields as body of an operation. */
export function saidOf(fields: Fields) {
  const message = fields.maybe('message')
  return {
    title: fields.required('title').trim(),
    content_base64: Buffer.from(fields.text('text'), 'utf8').toString('base64'),
    ...(message !== undefined && { message }),
  }
}

export function pageForms(nameIn: (visit: { readonly path: string }) => string) {
  return {
    save: {
      does: ['repoEditWikiPage'],
      handle: async (visit: FormVisit<RepositoryPath>) => {
        const { ask, params, fields } = visit
        const { owner, repo } = params
        const asked = { owner, repo, pageName: nameIn(visit) }
        const { sub_url } = await ask('repoEditWikiPage', asked, saidOf(fields))
        return links.wiki(repositoryAt({ owner, repo }), sub_url)
      },
    },
    delete: {
      does: ['repoDeleteWikiPage'],
      handle: async (visit: FormVisit<RepositoryPath>) => {
        const { owner, repo } = visit.params
        await visit.ask('repoDeleteWikiPage', { owner, repo, pageName: nameIn(visit) })
        return links.wiki(repositoryAt({ owner, repo }))
      },
    },
  } as const satisfies Record<string, Form<RepositoryPath>>
}
