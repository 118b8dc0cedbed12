/** A form that a passkey answers: `islands/passkey.ts` requests the credential and submits the form. */
import { type Html, html } from '#platform/page'
import { signInWords as words } from '../../words/sign-in.ts'

export function passkeyPrompt(does: 'get' | 'create', options: unknown, content: Html): Html {
  return html`<div data-passkey="${does}" data-options="${JSON.stringify(options)}">${content}
<p class="flash bad" role="alert" data-failed hidden>${words.passkeyFailed}</p></div><noscript><p class="flash warn">${words.passkeyNoScripts}</p></noscript>`
}

/** Conditional mediation: offered by the browser's autofill; the element is hidden. */
export function passkeyOffer(offer: string, content: Html): Html {
  return html`<div data-passkey="offer" data-offer="${offer}" hidden>${content}</div>`
}
