/** A form that a device answers: `islands/passkey.ts` asks it and sends the form. */
import { type Html, html } from '#platform/page'
import { signInWords as words } from '../../words/en/sign-in.ts'

export function passkeyPrompt(does: 'get' | 'create', options: unknown, content: Html): Html {
  return html`<div data-passkey="${does}" data-options="${JSON.stringify(options)}">${content}
<p class="flash bad" role="alert" data-failed hidden>${words.passkeyFailed}</p></div><noscript><p class="flash warn">${words.passkeyNoScripts}</p></noscript>`
}

/** Offered by the browser itself where a name is asked for; nothing of it is seen. */
export function passkeyOffer(offer: string, content: Html): Html {
  return html`<div data-passkey="offer" data-offer="${offer}" hidden>${content}</div>`
}
