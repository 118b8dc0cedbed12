/** A new page of a wiki. */
import { type FormVisit, type Page, page } from '#platform/page'
import { links, type RepositoryPath, repositoryAt } from '../../../links.ts'
import { inRepository, loadRepository } from '../../../parts/repository.ts'
import { wikiWords as words } from '../../../words/en/wiki.ts'
import { editor, loadEditor, previewOf, saidOf } from './edit-wiki.ts'

const newPage = page({
  path: '/:owner/:repo/wiki/_new',
  requiresSignIn: true,
  load: async (visit) => {
    const repository = await loadRepository(visit)
    const title = (visit.query.get('title') ?? '').slice(0, 255)
    return { repository, edited: { ...(await loadEditor(repository, undefined)), title } }
  },
  show: ({ repository, edited }, visit) =>
    inRepository(repository, 'wiki', visit, { title: words.new, body: editor(visit, repository, edited) }),
  forms: {
    save: {
      does: ['repoCreateWikiPage', 'renderMarkdown'],
      handle: async (visit: FormVisit<RepositoryPath>) => {
        const { ask, params, fields } = visit
        if (fields.text('do') === 'preview') return previewOf(visit, undefined)
        const { owner, repo } = params
        const { sub_url } = await ask('repoCreateWikiPage', { owner, repo }, saidOf(fields))
        return links.wiki(repositoryAt({ owner, repo }), sub_url)
      },
    },
  },
})

export const newWikiPages: readonly Page[] = [newPage]
