/** A user authorizes an application to act for them, or to sign them in (OAuth2, OpenID Connect). */
import {
  addressOf,
  type FormVisit,
  type Html,
  html,
  type Page,
  type PageVisit,
  page,
  Redirect,
  type Rendered,
  type ResponseOf,
} from '#platform/page'
import { invalid } from '#platform/problem'
import { links, withQuery } from '../../links.ts'
import { button, form, hidden } from '../../parts/forms.ts'
import { scopeSentence, authorizeWords as words } from '../../words/authorize.ts'

type View = Exclude<ResponseOf<'oauth2GetRequest'>, { readonly next: 'return' }>
type Asked = Extract<View, { readonly next: 'ask' }>

const authorizePage = page({
  path: '/login/oauth/authorize',
  load: async (visit): Promise<View> => {
    const view = await visit.ask('oauth2GetRequest', sent(visit.query))
    if (view.next === 'return') throw new Redirect(view.to, 303)
    if (view.next === 'ask' && visit.ctx.actor === null)
      throw new Redirect(withQuery(links.signIn, { redirect_to: addressOf(visit) }), 303)
    return view
  },
  show: (view, visit) => (view.next === 'refused' ? showRefusal(view.reason) : showRequest(view, visit)),
  forms: {
    allow: {
      does: ['oauth2Authorize'],
      handle: async (visit) => {
        const view = await visit.ask('oauth2GetRequest', sent(visit.query))
        if (view.next === 'ask' && view.needsPassword) throw invalid(words.needsPassword)
        return allow(visit)
      },
    },
    'allow-with-password': {
      does: ['oauth2Authorize'],
      isDangerous: true,
      // The page that asks for the password may not redirect to another site.
      handle: async (visit) => showLink(await allow(visit)),
    },
    deny: { does: ['oauth2Deny'], handle: ({ ask, query }) => ask('oauth2Deny', {}, sent(query)) },
  },
})

async function allow({ ask, ctx, fields, query }: FormVisit): Promise<string> {
  if (ctx.actor !== null && fields.text('account') !== ctx.actor.login) throw invalid(words.otherAccount)
  return ask('oauth2Authorize', {}, sent(query))
}

function sent(query: URLSearchParams): { request: string } {
  return { request: query.toString() }
}

function showRequest(asked: Asked, visit: PageVisit): Rendered {
  const { application, owner, returnTo, scopes, needsPassword } = asked
  const login = visit.ctx.actor?.login ?? ''
  const from =
    owner === null
      ? `${words.ofSite(visit.ctx.site.name)} ${words.onMachine}`
      : html`${words.by} <a href="${links.account(owner)}">${owner}</a>.`
  return {
    title: words.title(application),
    // Browsers apply the policy to the redirect after the form too.
    policy: { 'form-action': sourceOf(returnTo) },
    body: html`<div class="narrow"><h1>${words.title(application)}</h1>
<p>${words.wants(application)} <strong>${login}</strong>. ${words.may}</p>
<ul>${scopes.map((it) => allowed(it))}</ul>
<p>${from}</p><p>${words.returnTo} <code>${returnTo}</code>.</p>
<div class="actions">${form(
      visit,
      needsPassword ? 'allow-with-password' : 'allow',
      html`${hidden('account', login)}${button(words.allow(application), { tone: 'primary' })}`,
    )}${form(visit, 'deny', button(words.deny))}</div>
<div class="ways"><p>${words.notYou} <a href="${links.signOut}">${words.signOut}</a></p></div></div>`,
  }
}

function allowed(scope: string): Html | undefined {
  const sentence = scopeSentence(scope)
  return sentence === undefined
    ? undefined
    : html`<li>${scope === 'all' ? html`<strong>${sentence}</strong>` : sentence}</li>`
}

function showLink(to: string): Rendered {
  const { host, protocol } = new URL(to)
  const name = host || protocol
  return {
    title: words.proceed(name),
    body: html`<div class="narrow"><h1>${words.proceed(name)}</h1><p class="flash good" role="status">${words.authorized(name)}</p>
<p><a class="button primary" href="${to}">${words.proceed(name)}</a></p></div>`,
  }
}

function showRefusal(reason: keyof typeof words.refused): Rendered {
  return {
    title: words.refusedTitle,
    status: 400,
    body: html`<div class="narrow"><h1>${words.refusedTitle}</h1><p class="flash bad" role="alert">${words.refused[reason]}</p></div>`,
  }
}

/** The address as a source of the Content-Security-Policy, which has no form for IPv6 addresses. */
function sourceOf(address: string): string {
  const { protocol, host } = new URL(address)
  return /^https?:$/.test(protocol) && !host.startsWith('[') ? `${protocol}//${host}` : protocol
}

export const authorizePages: readonly Page[] = [authorizePage]
