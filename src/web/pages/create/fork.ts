/** Forks a repository. */
import { html, type Page, page } from '#platform/page'
import { links } from '../../links.ts'
import { button, field, form, written } from '../../parts/forms.ts'
import { assertAllowed, inRepository, loadRepository } from '../../parts/repository.ts'
import { createWords as words } from '../../words/create.ts'
import { loadOwners, ownerField } from './owners.ts'

const forkPage = page({
  path: '/:owner/:repo/fork',
  requiresSignIn: true,
  load: async (visit) => {
    const [view, owners] = await Promise.all([loadRepository(visit), loadOwners(visit)])
    assertAllowed(view.may.fork)
    return { view, owners }
  },
  show: ({ view, owners }, visit) =>
    inRepository(view, 'code', visit, {
      title: words.fork,
      body: html`<div class="settings"><h1>${words.forkTitle(view.repo.full_name)}</h1><p>${words.forkHelp}</p>${form(
        visit,
        'fork',
        html`<div class="pairs">${ownerField(visit, 'fork', owners)}${field({ name: 'name', label: words.name, value: written(visit, 'fork', 'name', view.repo.name), isRequired: true, maxLength: 100 })}</div>${button(words.forkCreate, { tone: 'primary' })}`,
      )}</div>`,
    }),
  forms: {
    fork: {
      does: ['createFork'],
      handle: async ({ ctx, ask, params: { owner, repo }, fields }) => {
        const asked = fields.text('owner')
        const organization = asked === '' || asked === ctx.actor?.login ? undefined : asked
        const name = fields.required('name').trim()
        return links.repository(await ask('createFork', { owner, repo }, { name, organization }))
      },
    },
  },
})

export const forkPages: readonly Page[] = [forkPage]
