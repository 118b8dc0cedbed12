/** List of users and organizations. */
import { type Html, html, type Piece } from '#platform/page'
import type { Organization, User } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { exploreWords as words } from '../../words/explore.ts'
import { avatar, time } from '../basics.ts'

/** `acts`: forms for each user. */
export function peopleList(people: readonly User[], now: Date, acts?: (user: User) => Piece): Html {
  return html`<ul class="rows dense">${people.map(
    (
      user,
    ) => html`<li class="row">${avatar(user, 32)}<div class="grow"><a class="title" href="${links.account(user.login)}">${user.login}</a>
${user.full_name}<p class="row-facts">${user.location !== '' && html`<span>${user.location}</span>`}<span>${words.joined} ${time(user.created, now)}</span></p></div>${acts?.(user)}</li>`,
  )}</ul>`
}

export function organizationList(
  organizations: readonly Organization[],
  beside: (name: string) => Html | undefined = () => undefined,
): Html {
  return html`<ul class="rows dense">${organizations.map(
    ({ username, full_name, avatar_url, description }) =>
      html`<li class="row">${avatar({ login: username, avatar_url }, 32)}<div class="grow"><a class="title" href="${links.account(username)}">${username}</a>
${full_name}${description !== '' && html`<p class="row-text">${description}</p>`}</div>${beside(username)}</li>`,
  )}</ul>`
}
