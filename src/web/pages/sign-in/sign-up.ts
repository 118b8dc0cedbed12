/** Becoming a user: by oneself where that is allowed, or by an invitation; and confirming an address. */
import {
  acceptInvitation,
  activate,
  describeInvitation,
  findInvitation,
  type OpenInvitation,
  register,
  registrationRefusal,
} from '#domains/sessions'
import { type FormVisit, type Html, html, type Page, type PageVisit, page, type Went } from '#platform/page'
import { Problem } from '#platform/problem'
import { links, withQuery } from '../../links.ts'
import { button, field, form, hidden, written } from '../../parts/forms.ts'
import { signInWords, signUpWords as words } from '../../words/en/sign-in.ts'
import { goOn } from './begin.ts'

interface Invited {
  readonly token: string
  readonly invitation: OpenInvitation
  readonly place: { readonly organization: string; readonly team: string } | undefined
}

const signUpPage = page({
  path: '/user/sign_up',
  load: async (visit) => {
    const { ctx, query } = visit
    const invited = await loadInvitation(visit, query.get('invitation') ?? '')
    return { invited, refusal: registrationRefusal(ctx, invited !== undefined) }
  },
  show: ({ invited, refusal }, visit) => ({
    title: words.title,
    body: html`<div class="narrow"><h1>${words.title}</h1>${invited && html`<p>${sentence(invited)}</p>`}${
      refusal === null ? signUpForm(visit, invited) : html`<p class="flash warn">${words[refusal]}</p>`
    }<div class="ways"><p>${words.have} <a href="${links.signIn}">${words.signIn}</a></p></div></div>`,
  }),
  forms: { 'sign-up': { does: ['web:sign-up'], handle: signUp } },
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
      : html`<p>${words.email}: <strong>${invited.invitation.email}</strong></p>`
  return form(
    visit,
    'sign-up',
    html`${invited && hidden('invitation', invited.token)}
${field({ name: 'user_name', label: words.username, help: words.usernameHelp, value: kept('user_name'), autocomplete: 'username', isRequired: true, isFocused: visit.failed === null, maxLength: 40 })}
${email}${field({ name: 'password', label: words.password, type: 'password', autocomplete: 'new-password', isRequired: true })}
${button(words.submit, { tone: 'primary' })}`,
  )
}

async function signUp(visit: FormVisit): Promise<Went> {
  const { ctx, fields } = visit
  const token = fields.text('invitation')
  const invitation = token === '' ? undefined : await findInvitation(ctx, token)
  if (token !== '' && invitation === undefined) throw new Problem('invalid', words.invitationGone)
  const account = await register(ctx, {
    username: fields.required('user_name').trim(),
    email: fields.text('email').trim(),
    password: fields.text('password'),
    invitation,
  })
  if (!account.is_active) return { to: withQuery(links.activate, { sent: account.email }) }
  return goOn(visit, { account, factors: ['password'], keeps: false, to: links.home })
}

/** Whoever has an account accepts with it; whoever has none makes one. */
const invitationPage = page({
  path: '/org/invite/:token',
  load: (visit) => loadInvitation(visit, visit.params.token),
  show: (invited, visit) => ({
    title: words.invitation,
    body: html`<div class="narrow"><h1>${words.invitation}</h1>${
      invited === undefined
        ? html`<p class="flash warn">${words.invitationGone}</p>`
        : html`<p>${sentence(invited)}</p>${acceptWays(visit, invited)}`
    }</div>`,
  }),
  forms: {
    accept: {
      does: ['web:invitation'],
      handle: async ({ ctx, params }) => {
        const invitation = await findInvitation(ctx, params.token)
        if (ctx.actor === null) throw new Problem('unauthenticated', 'sign in first')
        if (invitation === undefined) throw new Problem('invalid', words.invitationGone)
        const place = await describeInvitation(ctx, invitation)
        await acceptInvitation(ctx, invitation, ctx.actor.account)
        return place === undefined ? links.home : links.account(place.organization)
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
      does: ['web:sign-up'],
      handle: async ({ ctx, fields }) => {
        await activate(ctx, fields.text('code'))
        return {
          title: words.activateTitle,
          body: html`<div class="narrow"><h1>${words.activateTitle}</h1><p class="flash good" role="status">${words.activated}</p>
<p><a class="button primary" href="${links.signIn}">${signInWords.title}</a></p></div>`,
        }
      },
    },
  },
})

async function loadInvitation({ ctx }: PageVisit, token: string): Promise<Invited | undefined> {
  const invitation = await findInvitation(ctx, token)
  return invitation && { token, invitation, place: await describeInvitation(ctx, invitation) }
}

function sentence({ invitation: { inviter }, place }: Invited): string {
  return place === undefined
    ? words.invited(inviter.login)
    : words.invitedToTeam(inviter.login, place.team, place.organization)
}

export const signUpPages: readonly Page[] = [signUpPage, invitationPage, activatePage]
