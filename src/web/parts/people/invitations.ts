/** Open invitations, and the form for a new one. */
import { type Html, html, type PageVisit, type Rendered } from '#platform/page'
import { peopleWords as words } from '../../words/people.ts'
import { site } from '../../words/site.ts'
import { box, icon, time } from '../basics.ts'
import { button, field, form, formButton } from '../forms.ts'

interface Open {
  readonly id: number
  readonly email: string
  readonly expires_at: Date
}

/** The page must have the forms `invite` and `revoke`. */
export function invitationBox(visit: PageVisit, open: readonly Open[]): Html {
  const now = visit.ctx.now()
  const one = ({ id, email, expires_at }: Open) =>
    html`<li class="row">${icon('mail')}<div class="grow">${email} <span class="quiet-text">${words.invitedUntil} ${time(expires_at, now)}</span></div>${formButton(visit, 'revoke', words.revoke, { id }, { tone: 'quiet', label: `${words.revoke}: ${email}` })}</li>`
  return box(
    words.inviteTitle,
    html`<p class="box-text">${words.inviteHelp}</p>${open.length > 0 && html`<ul class="rows dense" aria-label="${words.invitations}">${open.map(one)}</ul>`}${form(
      visit,
      'invite',
      html`${field({ name: 'email', label: words.inviteEmail, type: 'email', isRequired: true, autocomplete: 'off' })}${button(words.invite)}`,
      { class: 'row-form' },
    )}`,
  )
}

/** The link is shown once, to the inviter. */
export function invitationGiven(link: string | undefined, backTo: string): string | Rendered {
  if (link === undefined) return backTo
  return {
    title: words.inviteTitle,
    body: html`<div class="settings"><h1>${words.inviteTitle}</h1><p class="flash good" role="status">${words.inviteLink}</p>
<p><code class="secret">${link}</code></p><p class="actions"><button type="button" class="button" data-copy="${link}">${site.copy}</button><a class="button" href="${backTo}">${site.next}</a></p></div>`,
  }
}
