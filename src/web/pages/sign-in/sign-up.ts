/** Registration, where enabled or by invitation; and email verification. */
import {
  type FormVisit,
  type Html,
  html,
  type Page,
  type PageVisit,
  page,
  type RedirectTo,
  type ResponseOf,
} from '#platform/page'
import { links, withQuery } from '../../links.ts'
import { button, field, form, hidden, written } from '../../parts/forms.ts'
import { passwordField } from '../../parts/sign-in/new-password.ts'
import { signInWords, signUpWords as words } from '../../words/sign-in.ts'
import { goOn } from './begin.ts'

type Invited = NonNullable<ResponseOf<'signUpGetInvitation'>['invited']> & { readonly token: string }

const signUpPage = page({
  path: '/user/sign_up',
  load: async (visit) => {
    return loadInvitation(visit, visit.query.get('invitation') ?? '')
  },
  show: ({ invited, refusal }, visit) => ({
    title: words.title,
    body: html`<div class="narrow"><h1>${words.title}</h1>${invited && html`<p>${sentence(invited)}</p>`}${
      refusal === null ? signUpForm(visit, invited) : html`<p class="flash warn">${words[refusal]}</p>`
    }<div class="ways"><p>${words.have} <a href="${links.signIn}">${words.signIn}</a></p></div></div>`,
  }),
  forms: { 'sign-up': { does: ['signUp'], handle: signUp } },
})

function signUpForm(visit: PageVisit, invited: Invited | undefined): Html {
  const kept = (name: string) => written(visit, 'sign-up', name)
  const email =
    invited === undefined
      ? field({
          name: 'email',
          label: words.email,
          type: 'email',
          value: kept('email'),
          autocomplete: 'email',
          isRequired: true,
        })
      : html`<p>${words.email}: <strong>${invited.email}</strong></p>`
  return form(
    visit,
    'sign-up',
    html`${invited && hidden('invitation', invited.token)}
${field({ name: 'user_name', label: words.username, help: words.usernameHelp, value: kept('user_name'), autocomplete: 'username', isRequired: true, isFocused: visit.failed === null, maxLength: 40 })}
${email}${passwordField(visit, { label: words.password, isRequired: true })}
${button(words.submit, { tone: 'primary' })}`,
  )
}

async function signUp({ ask, fields, from }: FormVisit): Promise<RedirectTo> {
  const entered = await ask(
    'signUp',
    {},
    {
      username: fields.required('user_name').trim(),
      email: fields.text('email').trim(),
      password: fields.text('password'),
      invitation: fields.text('invitation'),
      from,
    },
  )
  return goOn(entered, links.home)
}

/** Signed-in users accept with their account; others create one. */
const invitationPage = page({
  path: '/org/invite/:token',
  load: (visit) => loadInvitation(visit, visit.params.token),
  show: ({ invited }, visit) => ({
    title: words.invitation,
    body: html`<div class="narrow"><h1>${words.invitation}</h1>${
      invited === undefined
        ? html`<p class="flash warn">${words.invitationGone}</p>`
        : html`<p>${sentence(invited)}</p>${acceptWays(visit, invited)}`
    }</div>`,
  }),
  forms: {
    accept: {
      does: ['invitationAccept'],
      handle: async ({ ask, params }) => {
        const organization = await ask('invitationAccept', {}, { token: params.token })
        return organization === null ? links.home : links.account(organization)
      },
    },
  },
})

function acceptWays(visit: PageVisit, { token }: Invited): Html {
  const { actor } = visit.ctx
  if (actor !== null) return form(visit, 'accept', button(words.acceptAs(actor.login), { tone: 'primary' }))
  return html`<p><a class="button primary" href="${withQuery(links.signUp, { invitation: token })}">${words.title}</a></p>
<p><a href="${withQuery(links.signIn, { redirect_to: visit.path })}">${words.have}</a></p>`
}

const activatePage = page({
  path: '/user/activate',
  load: async ({ query }) => ({ code: query.get('code') ?? '', sent: query.get('sent') ?? '' }),
  show: ({ code, sent }, visit) => ({
    title: words.activateTitle,
    body: html`<div class="narrow"><h1>${words.activateTitle}</h1>${
      code === ''
        ? html`<p>${words.activateSent(sent)}</p><p><a href="${links.signIn}">${signInWords.title}</a></p>`
        : html`<p>${words.activateLink}</p>${form(visit, 'activate', html`${hidden('code', code)}${button(words.activateGo, { tone: 'primary' })}`)}`
    }</div>`,
  }),
  forms: {
    activate: {
      does: ['signUpActivate'],
      handle: async ({ ask, fields }) => {
        await ask('signUpActivate', {}, { code: fields.text('code') })
        return {
          title: words.activateTitle,
          body: html`<div class="narrow"><h1>${words.activateTitle}</h1><p class="flash good" role="status">${words.activated}</p>
<p><a class="button primary" href="${links.signIn}">${signInWords.title}</a></p></div>`,
        }
      },
    },
  },
})

async function loadInvitation({ ask }: PageVisit, token: string) {
  const { invited, refusal } = await ask('signUpGetInvitation', { token })
  return { invited: invited && { ...invited, token }, refusal }
}

function sentence({ inviter, place }: Invited): string {
  return place === undefined
    ? words.invited(inviter)
    : words.invitedToTeam(inviter, place.team, place.organization)
}

export const signUpPages: readonly Page[] = [signUpPage, invitationPage, activatePage]
