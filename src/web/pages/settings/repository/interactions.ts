/** Interaction limits of a repository. */
import { html, type Page, page } from '#platform/page'
import { time } from '../../../parts/basics.ts'
import { button, form, formButton, select } from '../../../parts/forms.ts'
import { loadRepository } from '../../../parts/repository.ts'
import { openRepositorySettings, repositoryOf } from '../../../scoped/scopes.ts'
import { repositorySettingsWords as words } from '../../../words/repository-settings.ts'

const interactionsPage = page({
  path: '/:owner/:repo/settings/interaction_limits',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = openRepositorySettings(visit, await loadRepository(visit), 'interactionLimits')
    return { frame, limit: await visit.ask('repoGetInteractionLimit', repositoryOf(visit)) }
  },
  show: ({ frame, limit }, visit) =>
    frame({
      title: words.interactions,
      body: html`<h1>${words.interactions}</h1><p>${words.interactionsHelp}</p>${
        limit !== null &&
        html`<p class="flash" role="status">${words.interactionGroups[limit.group]}, ${words.interactionUntil} ${time(limit.until, visit.ctx.now())} ${formButton(visit, 'end', words.endLimit)}</p>`
      }${form(
        visit,
        'limit',
        html`${select({ name: 'group', label: words.interactionGroup, options: Object.entries(words.interactionGroups), value: limit?.group ?? 'existing_users' })}${select({ name: 'expiry', label: words.interactionExpiry, options: Object.entries(words.interactionExpiries), value: 'one_day' })}${button(words.limitInteractions, { tone: 'primary' })}`,
      )}`,
    }),
  forms: {
    limit: {
      does: ['repoLimitInteractions'],
      handle: async (visit) => {
        const { ask, fields, path } = visit
        const group = fields.required('group') as keyof typeof words.interactionGroups
        const expiry = fields.required('expiry') as keyof typeof words.interactionExpiries
        await ask('repoLimitInteractions', repositoryOf(visit), { limit: { group, expiry } })
        return path
      },
    },
    end: {
      does: ['repoLimitInteractions'],
      handle: async (visit) => {
        await visit.ask('repoLimitInteractions', repositoryOf(visit), {})
        return visit.path
      },
    },
  },
})

export const interactionPages: readonly Page[] = [interactionsPage]
