/** Avatars side by side, each linked to its profile. */
import { type Html, html } from '#platform/page'
import { links } from '../../links.ts'
import { avatar } from '../basics.ts'

interface Face {
  readonly username: string
  readonly avatar_url: string
}

export function faces(all: readonly Face[]): Html {
  return html`<ul class="faces">${all.map(
    ({ username, avatar_url }) =>
      html`<li><a href="${links.account(username)}" aria-label="${username}" title="${username}">${avatar({ login: username, avatar_url }, 32)}</a></li>`,
  )}</ul>`
}
