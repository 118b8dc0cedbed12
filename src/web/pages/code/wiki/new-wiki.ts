/** A new page of a wiki. */
import { type FormVisit, type Page, page } from '#platform/page'
import { dropSentDraft } from '../../../drafts.ts'
import { links, type RepositoryPath, repositoryAt } from '../../../links.ts'
import { inRepository, loadRepository } from '../../../parts/repository.ts'
import { wikiWords as words } from '../../../words/wiki.ts'
import { editor, loadEditor, saidOf } from './edit-wiki.ts'

const newPage = page({
  path: '/:owner/:repo/wiki/_new',
  requiresSignIn: true,
  load: async (visit) => {
    const repository = await loadRepository(visit)
    const title = (visit.query.get('title') ?? '').slice(0, 255)
    const begun = await loadEditor(visit, repository, undefined)
    return { repository, edited: { ...begun, title: title || begun.title } }
  },
  show: ({ repository, edited }, visit) =>
    inRepository(repository, 'wiki', visit, { title: words.new, body: editor(visit, repository, edited) }),
  forms: {
    save: {
      does: ['repoCreateWikiPage', 'draftsDrop'],
      handle: async (visit: FormVisit<RepositoryPath>) => {
        const { ask, params, fields } = visit
        const { owner, repo } = params
        const { sub_url } = await ask('repoCreateWikiPage', { owner, repo }, saidOf(fields))
        await dropSentDraft(visit)
        return links.wiki(repositoryAt({ owner, repo }), sub_url)
      },
    },
  },
})

export const newWikiPages: readonly Page[] = [newPage]
