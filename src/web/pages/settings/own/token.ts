/** One access token: what it did, and the button that limits it to that. */
import { type Html, html, type Page, type PageVisit, page, type ResponseOf } from '#platform/page'
import { notFound } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { box, empty, pill, time } from '../../../parts/basics.ts'
import { formButton } from '../../../parts/forms.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { ownWords } from '../../../words/own-settings.ts'
import { peopleWords } from '../../../words/people.ts'
import { tokenWords as words } from '../../../words/tokens.ts'
import { limitFacts } from './token-limits.ts'

type Use = ResponseOf<'userGetAccessTokenUse'>
type Entry = Use['uses'][number]

export const tokenPage: Page = page({
  path: '/user/settings/applications/tokens/:token',
  requiresSignIn: true,
  load: async (visit) => {
    const path = { username: asSignedIn(visit).login, token: String(visit.params.token) }
    const [frame, use] = await Promise.all([
      userScope.open(visit, 'applications'),
      visit.ask('userGetAccessTokenUse', path),
    ])
    return { frame, use }
  },
  show: ({ frame, use }, visit) => {
    const { token } = use
    const now = visit.ctx.now()
    const used =
      token.last_used_at === null
        ? ownWords.never
        : html`${ownWords.used} ${time(token.last_used_at, now)} ${token.last_used_from !== undefined && words.from(token.last_used_from)}`
    return frame({
      title: token.name,
      body: html`<h1>${token.name}</h1><p class="row-facts"><span>${token.scopes.join(', ')}</span>${limitFacts(token, now)}<span>${used}</span></p>${box(
        words.use,
        use.uses.length === 0
          ? empty(words.unused)
          : html`<p class="box-text">${words.useHelp}</p><ul class="rows dense">${use.uses.map(useRow)}</ul>`,
      )}${use.proposal !== null && proposalBox(visit, use)}`,
    })
  },
  forms: {
    narrow: {
      does: ['userNarrowAccessToken'],
      isDangerous: true,
      handle: async (visit) => {
        const path = { username: asSignedIn(visit).login, token: String(visit.params.token) }
        const { proposal } = await visit.ask('userGetAccessTokenUse', path)
        if (proposal === null) throw notFound('proposal', path.token)
        await visit.ask('userNarrowAccessToken', path, proposal)
        return visit.path
      },
    },
  },
})

function useRow({ repository, unit, level, last_day, is_lost }: Entry): Html {
  const place =
    repository === null
      ? html`<strong>${words.elsewhere}</strong>`
      : html`<a class="title" href="/${repository.full_name}">${repository.full_name}</a>`
  const part = unit === null ? undefined : unitName(unit)
  return html`<li class="row"><div class="grow">${place}<p class="row-facts">${part !== undefined && html`<span>${part}</span>`}<span>${words.usedLevels[level]}</span><span>${last_day}</span></p></div>${is_lost && pill(words.lost, 'warn')}</li>`
}

function proposalBox(visit: PageVisit, { proposal, uses }: Use): Html {
  const units = Object.entries(proposal?.units_map ?? {}).map(
    ([unit, level]) => `${unitName(unit)}: ${words.unitLevels[level]}`,
  )
  const losesSome = uses.some(({ is_lost }) => is_lost)
  return box(
    words.narrow,
    html`<p class="box-text">${words.narrowHelp}</p><p class="row-facts"><span>${words.only.repositories(proposal?.repository_ids.length ?? 0)}</span>${units.map((it) => html`<span>${it}</span>`)}</p>${losesSome && html`<p class="box-text">${words.losesHelp}</p>`}${formButton(visit, 'narrow', words.narrowSubmit, {}, { tone: 'danger', label: words.narrowSubmit })}`,
  )
}

function unitName(unit: string): string {
  return Object.entries(peopleWords.unit).find(([name]) => name === unit)?.[1] ?? unit
}
