/** Frame of settings pages: navigation beside the current page. */
import { type Html, html } from '#platform/page'
import { settingsWords as words } from '../words/settings.ts'
import { site } from '../words/site.ts'
import { icon } from './basics.ts'

export interface Section {
  /** Text of the link, and the key by which a page names itself. */
  readonly name: keyof typeof words
  readonly to: string
  readonly icon: string
}

export function settingsLayout(
  sections: readonly Section[],
  current: string,
  content: Html,
  name: string = words.settings,
): Html {
  const one = ({ name, to, icon: iconName }: Section) =>
    html`<a href="${to}"${name === current && html` aria-current="page"`}>${icon(iconName)}${String(words[name])}</a>`
  return html`<div class="columns left"><nav class="side" aria-label="${name}">${sections.map(one)}</nav><div class="pane">${content}</div></div>`
}

/** A secret that is shown once, to be copied. */
export function shownOnce(title: string, secret: string, backTo: string, more?: Html): Html {
  return html`<h1>${title}</h1><p class="flash good" role="status">${words.shownOnce}</p>${more}<p><code class="secret">${secret}</code></p>
<p class="actions"><button type="button" class="button" data-copy="${secret}">${icon('copy')}${site.copy}</button><a class="button primary" href="${backTo}">${words.goOn}</a></p>`
}
