/** Error pages, with the id of the request and all fields that the user was about to send. */
import {
  addressOf,
  type Fields,
  type Html,
  html,
  nothing,
  type PageVisit,
  type Rendered,
} from '#platform/page'
import type { Problem } from '#platform/problem'
import { links, withQuery } from './links.ts'
import { icon } from './parts/basics.ts'
import { button, field, messageOf } from './parts/forms.ts'
import { problems as words } from './words/site.ts'

export function problemPage(visit: PageVisit, problem: Problem, kept: Fields | null): Rendered {
  const title = words.titles[problem.kind]
  const message = problem.kind === 'not_found' ? words.notFound : messageOf(problem)
  const { reason } = problem.details
  return {
    title,
    body: html`<div class="problem"><h1>${icon('circle-alert')} ${title}</h1><p>${message}</p>${typeof reason === 'string' && reason !== '' ? html`<blockquote>${reason}</blockquote>` : nothing}${problem.kind === 'unavailable' ? html`<p>${words.tryAgain}</p>` : nothing}
${kept === null ? nothing : again(visit, kept)}
<p class="quiet-text">${words.request} <code>${visit.requestId}</code></p><p><a href="${links.home}">${words.goHome}</a></p></div>`,
  }
}

/** A session may expire while a user writes: the form can be sent again without loss. */
function again(visit: PageVisit, kept: Fields): Html {
  return html`<p>${words.kept}</p><p><a href="${links.signIn}" target="_blank">${words.signInElsewhere}</a></p>
<form method="post" action="${addressOf(visit)}">${keptFields(kept)}${button(words.sendAgain, { tone: 'primary' })}</form>`
}

export function elevationPage(visit: PageVisit, kept: Fields, isWrong: boolean): Rendered {
  return {
    title: words.confirmTitle,
    body: html`<div class="narrow"><h1>${words.confirmTitle}</h1><p>${words.confirm}</p>
${isWrong && html`<p class="flash bad" role="alert">${words.wrongPassword}</p>`}
<form method="post" action="${addressOf(visit)}">${keptFields(kept)}
${field({ name: 'confirm_password', label: words.password, type: 'password', autocomplete: 'current-password', isRequired: true, isFocused: true })}
${button(words.goOn, { tone: 'primary' })}</form>${otherWay(visit)}</div>`,
  }
}

/** Accounts with a source or a passkey may have no password. */
function otherWay(visit: PageVisit): Html | false {
  const { actor } = visit.ctx
  if (actor === null) return false
  const { source_id, only_source_id, has_second_factor } = actor.account
  const hasSource = source_id !== 0 || only_source_id !== null
  if (!hasSource && !has_second_factor) return false
  const text = hasSource ? words.confirmBySource : words.confirmByPasskey
  return html`<div class="ways"><p><a href="${withQuery(links.confirmSignIn, { redirect_to: addressOf(visit) })}">${text}</a></p></div>`
}

/** Long texts are shown in a text area, where they can be read and copied. */
function keptFields(kept: Fields): Html {
  const one = ([name, value]: [string, string]) =>
    value.includes('\n') || value.length > 100
      ? html`<textarea name="${name}" aria-label="${name}" rows="8">
${value}</textarea>`
      : html`<input type="hidden" name="${name}" value="${value}">`
  return html`${kept
    .entries()
    .filter(([name]) => name !== 'confirm_password')
    .map(one)}`
}
