/** Activity feed, newest first. */
import { type Html, html } from '#platform/page'
import type { Activity } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { feedMany, feedPlace, feedWords, tagCount } from '../../words/feed.ts'
import { avatar, icon, time } from '../basics.ts'

const PULL = /pull/
const TITLE_MAX = 200
/** Limit of a quoted comment, so that rendering cost is bounded. */
const SAID_MAX = 1_000

export function feed(acts: readonly Activity[], now: Date): Html {
  return html`<ul class="rows feed">${acts.map((act) => line(act, now))}</ul>`
}

function line(act: Activity, now: Date): Html {
  const [iconName] = feedWords[act.op_type]
  const did = verbOf(act)
  const { act_user: who, repo } = act
  const { to, text } = objectOf(act)
  const place =
    to === links.repository(repo)
      ? ''
      : html` ${feedPlace.in} <a href="${links.repository(repo)}">${repo.full_name}</a>`
  return html`<li class="row">${icon(iconName)}${avatar(who, 20)}<div class="grow"><a class="person" href="${links.account(who.login)}">${who.login}</a> ${did} <a href="${to}">${text}</a>${place}</div><span class="quiet-text">${time(act.created, now)}</span></li>`
}

/** One line of plain text with its link, for RSS and Atom feeds. */
export function plainAct(act: Activity): { readonly to: string; readonly text: string } {
  const { to, text } = objectOf(act)
  return { to, text: `${act.act_user.login} ${verbOf(act)} ${text}` }
}

function verbOf(act: Activity): string {
  const many = tagsOf(act) > 0 ? feedMany[act.op_type] : undefined
  return many ?? feedWords[act.op_type][1]
}

/** The number of tags of one push, if one activity stands for all of them. */
function tagsOf({ op_type, content }: Activity): number {
  return op_type.endsWith('_tag') ? Number(/"Len":(\d+)\}$/.exec(content)?.[1] ?? 0) : 0
}

/** The subject: an issue by number and title, a ref by name, otherwise the repository. */
function objectOf(act: Activity): { to: string; text: string } {
  const { op_type, content, ref_name, repo } = act
  const tags = tagsOf(act)
  if (tags > 0) return { to: links.of(repo, 'tags'), text: tagCount(tags) }
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

/** A comment as one line, without Markdown markers. */
function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)/g, '$1')
    .replace(/^[ \t]{0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gm, '')
    .replace(/(?<!\w)[*_`~]+|[*_`~]+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
