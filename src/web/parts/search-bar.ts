/** Search field and menus: a GET form, so that the address states what is shown. */
import { type Html, html, type Piece } from '#platform/page'
import { exploreWords as words } from '../words/explore.ts'

interface SearchFacts {
  readonly label: string
  readonly value: string
  readonly more?: Piece
}

export function searchBar({ label, value, more }: SearchFacts): Html {
  return html`<form class="search-bar" role="search" aria-label="${label}"><label class="unseen" for="search-here">${label}</label>
<input id="search-here" class="grow" type="search" name="q" value="${value}" placeholder="${label}" maxlength="255" data-key="f">${more}
<button class="button" type="submit">${words.search}</button></form>`
}

type Choices = Readonly<Record<string, string>>

/** A select whose value is a query parameter. */
export function choose(name: string, label: string, choices: Choices, value: string): Html {
  return html`<label class="unseen" for="choose-${name}">${label}</label><select id="choose-${name}" name="${name}">${Object.entries(
    choices,
  ).map(
    ([it, text]) => html`<option value="${it}"${it === value && html` selected`}>${text}</option>`,
  )}</select>`
}

/** The requested choice, if it is valid. */
export function chosen<const C extends Choices>(
  query: URLSearchParams,
  name: string,
  choices: C,
  otherwise: keyof C & string,
): keyof C & string {
  const asked = query.get(name) ?? ''
  return Object.hasOwn(choices, asked) ? asked : otherwise
}
