/** Editor of wiki pages, with a preview that works without JavaScript. */
import {
  type Fields,
  type Form,
  type FormVisit,
  type Html,
  html,
  type PageVisit,
  type Rendered,
} from '#platform/page'
import type { WikiPage } from '../../../gen/contract.ts'
import { links, type RepositoryPath, repositoryAt } from '../../../links.ts'
import { markdown } from '../../../markdown.ts'
import { area, button, field, form, formButton, written } from '../../../parts/forms.ts'
import {
  assertAllowed,
  inRepository,
  loadRepository,
  type RepositoryView,
} from '../../../parts/repository.ts'
import { wikiWords as words } from '../../../words/en/wiki.ts'

/** State of the editor. */
export interface WikiEditor {
  /** Undefined for a new page. */
  readonly page: WikiPage | undefined
  readonly title: string
  readonly text: string
  readonly message: string
  readonly preview: Html | undefined
}

export async function loadEditor({ may }: RepositoryView, page: WikiPage | undefined): Promise<WikiEditor> {
  assertAllowed(may.wiki.write)
  const text = Buffer.from(page?.content_base64 ?? '', 'base64').toString('utf8')
  return { page, title: page?.title ?? '', text, message: '', preview: undefined }
}

export function editor(visit: PageVisit, { repo }: RepositoryView, edited: WikiEditor): Html {
  const { page, title, text, message, preview } = edited
  const value = (name: string, old: string) => written(visit, 'save', name, old)
  const back = page === undefined ? links.wiki(repo) : links.wiki(repo, page.sub_url)
  const content = html`${field({ name: 'title', label: words.pageTitle, value: value('title', title), isRequired: true })}
${area({ name: 'text', label: words.text, value: value('text', text), rows: 18, isCode: true, maxLength: 1_000_000 })}
${field({ name: 'message', label: words.message, value: value('message', message) })}
<div class="actions">${button(words.save, { tone: 'primary', name: 'do', value: 'save' })}${button(words.preview, { name: 'do', value: 'preview' })}<a class="button quiet" href="${back}">${words.cancel}</a></div>`
  return html`<div class="wiki-editor"><h2>${page === undefined ? words.new : words.editTitle(page.title)}</h2>${
    preview &&
    html`<section class="box" aria-label="${words.preview}"><header class="box-head"><h3>${words.preview}</h3></header><div class="box-body">${preview}</div></section>`
  }${form(visit, 'save', content, { draft: `wiki:${repo.full_name}:${page?.sub_url ?? '_new'}` })}</div>`
}

export function deleteForm(visit: PageVisit, { page }: WikiEditor): Html {
  return html`${page && html`<section class="box settings"><header class="box-head"><h3>${words.delete}</h3></header><div class="box-text"><p>${words.deleteHelp}</p>${formButton(visit, 'delete', words.deleteNow, {}, { tone: 'danger' })}</div></section>`}`
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

/** The same fields again, with a preview. */
export async function previewOf(
  visit: FormVisit<RepositoryPath>,
  page: WikiPage | undefined,
): Promise<Rendered> {
  const { fields } = visit
  const repository = await loadRepository(visit)
  const { repo } = repository
  const root = `${links.wiki(repo)}/`
  const text = fields.text('text')
  const edited: WikiEditor = {
    page,
    title: fields.text('title'),
    text,
    message: fields.text('message'),
    preview: await markdown(visit, text, repo, 'wiki', { root, pictures: root, folder: '' }),
  }
  return inRepository(repository, 'wiki', visit, {
    title: words.preview,
    body: editor(visit, repository, edited),
  })
}

export function pageForms(nameIn: (visit: { readonly path: string }) => string) {
  return {
    save: {
      does: ['repoEditWikiPage', 'renderMarkdown'],
      handle: async (visit: FormVisit<RepositoryPath>) => {
        const { ask, params, fields } = visit
        const { owner, repo } = params
        const asked = { owner, repo, pageName: nameIn(visit) }
        if (fields.text('do') === 'preview') return previewOf(visit, await ask('repoGetWikiPage', asked))
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
