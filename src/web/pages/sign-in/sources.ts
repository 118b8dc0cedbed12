/** Sign-in with another provider: the way there, the way back, and what to do with an identity that has no account. */
import { type Html, html, type Page, type PageVisit, page, Redirect, type ResponseOf } from '#platform/page'
import { Problem } from '#platform/problem'
import { back, links, withQuery } from '../../links.ts'
import { button, field, form, hidden, written } from '../../parts/forms.ts'
import { identityWords as words } from '../../words/auths.ts'
import { signInWords } from '../../words/sign-in.ts'
import { goOn } from './begin.ts'

const FLOW = 'source_flow'
const IDENTITY = 'source_identity'
const dropped = (name: string) => ({ name, value: '' })

const beginPage = page({
  path: '/user/oauth2/:source',
  load: async ({ ask, params, query }): Promise<never> => {
    const to = back(query.get('redirect_to'), links.home)
    throw leaving(await ask('sourceBegin', { ...params, to }))
  },
  show: () => ({ title: words.title, body: html`` }),
})

const callbackPage = page({
  path: '/user/oauth2/:source/callback',
  changes: ['sourceFinish'],
  load: async ({ ask, params, query, cookie, from }): Promise<never> => {
    const sent = { token: cookie(FLOW), query: query.toString(), from }
    throw returned(await ask('sourceFinish', params, sent))
  },
  show: () => ({ title: words.title, body: html`` }),
})

const beginSamlPage = page({
  path: '/user/saml/:source',
  load: async ({ ask, params, query }): Promise<never> => {
    const to = back(query.get('redirect_to'), links.home)
    throw leaving(await ask('sourceBeginSaml', { ...params, to }))
  },
  show: () => ({ title: words.title, body: html`` }),
})

/** The assertion consumer service redirects here, so the browser sends its cookies again. */
const finishSamlPage = page({
  path: '/user/saml/:source/finish',
  changes: ['sourceFinishSaml'],
  load: async ({ ask, params, cookie, from }): Promise<never> => {
    throw returned(await ask('sourceFinishSaml', params, { token: cookie(FLOW), from }))
  },
  show: () => ({ title: words.title, body: html`` }),
})

function leaving({ to, token }: ResponseOf<'sourceBegin'>): Redirect {
  return new Redirect(to, 303, [{ name: FLOW, value: token }])
}

function returned({ entered, to }: ResponseOf<'sourceFinish'>): Redirect {
  if (entered.next === 'link') {
    const cookies = [dropped(FLOW), { name: IDENTITY, value: entered.step }]
    return new Redirect(withQuery(links.linkAccount, { redirect_to: to }), 303, cookies)
  }
  const { to: next, cookies = [] } = goOn(entered, back(to, links.home))
  return new Redirect(next, 303, [dropped(FLOW), ...cookies])
}

/** Sign-in with name and password of a directory. */
const directoryPage = page({
  path: '/user/login/:source',
  load: async ({ ask, params, query }) => ({
    source: await ask('sourceGetDirectory', params),
    to: back(query.get('redirect_to'), links.home),
  }),
  show: ({ source: { name }, to }, visit) => ({
    title: signInWords.signInBy(name),
    body: html`<div class="narrow"><h1>${signInWords.signInBy(name)}</h1>${form(
      visit,
      'sign-in',
      html`${hidden('to', to)}${field({ name: 'user_name', label: words.directoryName, value: written(visit, 'sign-in', 'user_name'), autocomplete: 'username', isRequired: true })}
${field({ name: 'password', label: signInWords.password, type: 'password', autocomplete: 'current-password', isRequired: true, maxLength: 1_000 })}${button(signInWords.submit, { tone: 'primary' })}`,
    )}</div>`,
  }),
  forms: {
    'sign-in': {
      does: ['sourceByPassword'],
      handle: async ({ ask, params, fields, from }) => {
        const attempt = { name: fields.text('user_name').trim(), password: fields.text('password') }
        const entered = await ask('sourceByPassword', params, { ...attempt, from })
        if (entered === null) throw new Problem('invalid', signInWords.wrong)
        const to = back(fields.text('to'), links.home)
        if (entered.next !== 'link') return goOn(entered, to)
        const cookies = [{ name: IDENTITY, value: entered.step }]
        return { to: withQuery(links.linkAccount, { redirect_to: to }), cookies }
      },
    },
  },
})

const linkPage = page({
  path: links.linkAccount,
  load: async ({ ask, cookie, query }) => ({
    pending: await ask('sourceGetPending', { token: cookie(IDENTITY) }),
    to: back(query.get('redirect_to'), links.home),
  }),
  show: ({ pending, to }, visit) => ({
    title: words.title,
    body: html`<div class="narrow"><h1>${words.title}</h1><p>${words.signedInAt(pending.source, pending.login)} ${words.noAccount}</p>${
      visit.ctx.actor === null
        ? html`${pending.mayRegister && registerForm(visit, pending)}<h2>${words.link}</h2><p>${words.linkHelp}</p><p><a class="button" href="${withQuery(links.signIn, { redirect_to: withQuery(links.linkAccount, { redirect_to: to }) })}">${words.signIn}</a></p>`
        : linkForm(visit, visit.ctx.actor.login)
    }</div>`,
  }),
  forms: {
    register: {
      does: ['sourceRegister'],
      handle: async ({ ask, cookie, fields, from, query }) => {
        const sent = { token: cookie(IDENTITY), username: fields.required('user_name').trim(), from }
        const { to, cookies = [] } = goOn(
          await ask('sourceRegister', {}, sent),
          back(query.get('redirect_to'), links.home),
        )
        return { to, cookies: [dropped(IDENTITY), ...cookies] }
      },
    },
    link: {
      does: ['userLinkIdentity'],
      isDangerous: true,
      handle: async ({ ask, cookie }) => {
        await ask('userLinkIdentity', {}, { token: cookie(IDENTITY) })
        return { to: links.security, cookies: [dropped(IDENTITY)] }
      },
    },
  },
})

function registerForm(visit: PageVisit, { username }: ResponseOf<'sourceGetPending'>): Html {
  return html`<h2>${words.create}</h2>${form(
    visit,
    'register',
    html`${field({ name: 'user_name', label: words.username, value: written(visit, 'register', 'user_name', username), autocomplete: 'username', isRequired: true, maxLength: 40 })}${button(words.createSubmit, { tone: 'primary' })}`,
  )}`
}

function linkForm(visit: PageVisit, login: string): Html {
  return html`<p>${words.linkSignedIn(login)}</p>${form(visit, 'link', button(words.linkTo(login), { tone: 'primary' }))}`
}

export const sourcePages: readonly Page[] = [
  beginPage,
  callbackPage,
  beginSamlPage,
  finishSamlPage,
  directoryPage,
  linkPage,
]
