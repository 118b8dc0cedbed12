/** What happened, newest first: who, what, where, when. */
import { type Html, html } from '#platform/page'
import type { Activity } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { feedIn, feedWords } from '../../words/en/feed.ts'
import { avatar, icon, time } from '../basics.ts'

const PULL = /pull/
const TITLE_MAX = 200
/** Of a comment, so that one of any length costs the same. */
const SAID_MAX = 1_000

export function feed(acts: readonly Activity[], now: Date): Html {
  return html`<ul class="rows feed">${acts.map((act) => line(act, now))}</ul>`
}

function line(act: Activity, now: Date): Html {
  const [iconName, did] = feedWords[act.op_type]
  const { act_user: who, repo } = act
  const { to, text } = objectOf(act)
  const place =
    to === links.repository(repo)
      ? ''
      : html` ${feedIn} <a href="${links.repository(repo)}">${repo.full_name}</a>`
  return html`<li class="row">${icon(iconName)}${avatar(who, 20)}<div class="grow"><a class="person" href="${links.account(who.login)}">${who.login}</a> ${did} <a href="${to}">${text}</a>${place}</div><span class="quiet-text">${time(act.created, now)}</span></li>`
}

/** In one line without markup, and where it leads to: for feeds that are read elsewhere. */
export function plainAct(act: Activity): { readonly to: string; readonly text: string } {
  const { to, text } = objectOf(act)
  const [, did] = feedWords[act.op_type]
  return { to, text: `${act.act_user.login} ${did} ${text}` }
}

/** Issues are told by number and title, refs by their names, everything else by the repository. */
function objectOf({ op_type, content, ref_name, repo }: Activity): { to: string; text: string } {
  const [, number, title = ''] = /^(\d+)\|([\s\S]*)$/.exec(content) ?? []
  if (number !== undefined) {
    const to = PULL.test(op_type) ? links.pull(repo, Number(number)) : links.issue(repo, Number(number))
    const said = op_type.startsWith('comment_') ? withoutMarks(title.slice(0, SAID_MAX)) : title
    return { to, text: `#${number} ${said.slice(0, TITLE_MAX)}` }
  }
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(ref_name) ?? []
  if (op_type === 'publish_release') return { to: links.release(repo, name), text: content || name }
  if (kind === undefined || op_type.startsWith('delete_'))
    return { to: links.repository(repo), text: name || repo.full_name }
  return { to: links.source(repo, { kind: kind === 'tags' ? 'tag' : 'branch', name }), text: name }
}

/** What a comment says, in one line: the marks of Markdown would only be read aloud there. */
function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)/g, '$1')
    .replace(/^[ \t]{0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gm, '')
    .replace(/(?<!\w)[*_`~]+|[*_`~]+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
