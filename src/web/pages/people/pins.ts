/** Pinned repositories of a profile: cards, and for those who may change them a form below. */
import { type Form, type FormVisit, type Html, html, nothing, type PageVisit } from '#platform/page'
import { invalid } from '#platform/problem'
import type { Repository } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { icon, pill } from '../../parts/basics.ts'
import { button, field, form, formButton, written } from '../../parts/forms.ts'
import { exploreWords } from '../../words/explore.ts'
import { peopleWords as words } from '../../words/people.ts'
import { repositoryWords } from '../../words/repository.ts'
import type { OwnerVisit } from './owner.ts'

const PINS_MAX = 6

type Pins = readonly Repository[]

export async function loadPins(visit: OwnerVisit): Promise<Pins> {
  return visit.ask('pinsList', { username: visit.params.owner })
}

/** `offers`: repositories that the form suggests. */
export function showPins(visit: PageVisit, pins: Pins, mayPin: boolean, offers: Pins): Html {
  if (pins.length === 0 && (!mayPin || offers.length === 0)) return nothing
  return html`<section class="pins" aria-labelledby="pins"><h2 id="pins">${words.pinned}</h2>${
    pins.length > 0 && html`<ul class="pin-list">${pins.map(card)}</ul>`
  }${mayPin && editor(visit, pins, offers)}</section>`
}

function card(repo: Repository): Html {
  const { full_name, description, language, stars_count, forks_count } = repo
  const kind = repo.private ? 'lock' : repo.fork ? 'git-fork' : 'book'
  return html`<li class="pin">${icon(kind)}<a class="title" href="${links.repository(repo)}">${full_name}</a>${repo.private && pill(repositoryWords.private)}
<p class="quiet-text">${description}</p><p class="row-facts">${language !== '' && html`<span>${language}</span>`}${
    stars_count > 0 && html`<span>${icon('star', exploreWords.stars)} ${stars_count}</span>`
  }${forks_count > 0 && html`<span>${icon('git-fork', exploreWords.forks)} ${forks_count}</span>`}</p></li>`
}

function editor(visit: PageVisit, pins: Pins, offers: Pins): Html {
  const isFailed = visit.failed?.form === 'pin'
  const ids = pins.map(({ id }) => id)
  const rows = pins.map(({ id, full_name }, at) => {
    const swap = (to: number) => ids.toSpliced(at, 1).toSpliced(to, 0, id).join()
    const act = (to: string, name: string, text: string) =>
      formButton(visit, 'pins', icon(name), { order: to }, { label: `${text}: ${full_name}`, tone: 'quiet' })
    return html`<li class="row"><span class="grow">${full_name}</span>${at > 0 && act(swap(at - 1), 'arrow-up', words.pinEarlier)}${
      at < pins.length - 1 && act(swap(at + 1), 'arrow-down', words.pinLater)
    }${act(ids.toSpliced(at, 1).join(), 'x', words.unpin)}</li>`
  })
  const others = offers.filter(({ id }) => !ids.includes(id)).map(({ full_name }) => full_name)
  return html`<details class="bulk pin-editor"${isFailed && html` open`}><summary>${icon('pin')} ${words.editPins}</summary>${
    rows.length > 0 && html`<ul class="rows">${rows}</ul>`
  }${
    pins.length < PINS_MAX &&
    form(
      visit,
      'pin',
      html`${field({ name: 'repository', label: words.pinName, value: written(visit, 'pin', 'repository'), offers: others, isRequired: true, placeholder: words.pinPlaceholder })}${button(words.pin)}`,
    )
  }</details>`
}

export const pinForms: Record<'pins' | 'pin', Form<{ readonly owner: string }>> = {
  pins: {
    does: ['pinsSet'],
    handle: async (visit) => {
      const order = visit.fields.text('order').split(',').filter(Boolean).map(Number)
      return setPins(visit, order.filter(Number.isSafeInteger))
    },
  },
  pin: {
    does: ['pinsSet'],
    handle: async (visit) => {
      const { owner } = visit.params
      const [name = '', of = owner] = visit.fields.required('repository').trim().split('/').reverse()
      const repo = await visit.maybe('repoGet', { owner: of, repo: name })
      if (repo === undefined) throw invalid(words.pinUnknown)
      return setPins(visit, [...(await loadPins(visit)).map(({ id }) => id), repo.id])
    },
  },
}

async function setPins(visit: FormVisit<{ readonly owner: string }>, ids: number[]): Promise<string> {
  await visit.ask('pinsSet', { username: visit.params.owner }, { ids })
  return links.account(visit.params.owner)
}
