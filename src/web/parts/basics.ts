/** Small building blocks of pages: pure, synchronous functions from records to HTML that cannot fail. */
import { type Html, html, type Piece } from '#platform/page'
import { assetPath } from '../assets.ts'
import { links, outside } from '../links.ts'
import { ago, instant } from '../words/site.ts'

/** `name`: a Lucide icon in the sprite of `assets.ts`. */
export function icon(name: string, label?: string): Html {
  const hidden = label === undefined ? html` aria-hidden="true"` : html` role="img" aria-label="${label}"`
  return html`<svg class="icon"${hidden}><use href="${assetPath('icons.svg')}#${name}"/></svg>`
}

interface Person {
  readonly login: string
  readonly avatar_url?: string | undefined
  readonly full_name?: string | undefined
}

export function avatar({ login, avatar_url }: Person, size = 20): Html {
  const source = avatar_url ?? links.account(login)
  return html`<img class="avatar" src="${source}" alt="" width="${size}" height="${size}" loading="lazy" decoding="async">`
}

const HUES = 12

/** A tinted disc with initials, for an author without an account. */
export function initials(name: string, size = 20): Html {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((it) => it !== '')
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (it) => [...(it ?? '')][0] ?? '',
  )
  const sum = [...name].reduce((all, it) => (all * 31 + (it.codePointAt(0) ?? 0)) % 997, 7)
  return html`<span class="avatar initials" aria-hidden="true" style="--hue:${(sum % HUES) * (360 / HUES)};--size:${size}px">${letters.join('').toUpperCase() || '?'}</span>`
}

/** The author of a text: a user, or the name at the source of an import. */
export function author(who: Person, original: string | undefined, size = 20): Html {
  return original
    ? html`<span class="person">${initials(original, size)} ${original}</span>`
    : person(who, size)
}

/** Avatar and name of a user, linked to the profile. */
export function person(who: Person, size = 20): Html {
  return html`<a class="person" href="${links.account(who.login)}">${avatar(who, size)} ${who.login}</a>`
}

/** Relative time, with the exact time as its title; an island keeps it fresh. */
export function time(when: string | Date | null | undefined, now: Date): Html {
  if (when === null || when === undefined || when === '') return html``
  const then = typeof when === 'string' ? new Date(when) : when
  return html`<time datetime="${then.toISOString()}" title="${instant(then)}">${ago(then, now)}</time>`
}

export type Tone = 'good' | 'bad' | 'warn' | 'done' | 'plain' | 'ember'

/** A state as an icon with an accessible label. */
export function stateMark(iconName: string, tone: Tone, word: string): Html {
  return html`<span class="state ${tone}" title="${word}">${icon(iconName, word)}</span>`
}

/** A state with a text and optionally an icon, never by colour alone. */
export function pill(text: string, tone: Tone = 'plain', iconName?: string): Html {
  return html`<span class="pill ${tone}">${iconName && icon(iconName)}${text}</span>`
}

/** A count beside a text. */
export function counter(number: number | undefined): Html {
  // The space separates it from the text before it for screen readers.
  return html`${number !== undefined && number > 0 && html` <span class="counter">${number}</span>`}`
}

/** Numbers of added and removed lines. */
export function changes(additions: number, deletions: number): Html {
  return html`<span class="changes"><span class="added">+${additions}</span> <span class="removed">−${deletions}</span></span>`
}

interface LabelFacts {
  readonly name: string
  readonly color?: string | undefined
  readonly description?: string | undefined
}

/** A label in its colour, with black or white text, whichever is readable. */
export function label({ name, color = '', description = '' }: LabelFacts): Html {
  const hex = /^#?([\da-f]{6})$/i.exec(color)?.[1] ?? 'cccccc'
  // White while its contrast is at least 4.5:1; above that black has more.
  const isLight = brightness(hex) > 0.183
  const style = `--label:#${hex};--on-label:${isLight ? '#000000' : '#ffffff'}`
  return html`<span class="label" style="${style}" title="${description}">${name}</span>`
}

/** Relative luminance as in WCAG. */
function brightness(hex: string): number {
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((i) => {
    const part = Number.parseInt(hex.slice(i, i + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** A link that a user entered; anything but http, https and mailto is shown as text. */
export function outsideLink(address: string | undefined, text = address): Html {
  const to = outside(address)
  return to === undefined ? html`${text}` : html`<a href="${to}" rel="nofollow noopener ugc">${text}</a>`
}

export function empty(title: string, ...more: readonly Piece[]): Html {
  return html`<div class="empty"><p class="empty-title">${title}</p>${more}</div>`
}

export function box(title: Piece, content: Piece, actions?: Piece): Html {
  return html`<section class="box"><header class="box-head"><h2>${title}</h2>${actions}</header>${content}</section>`
}

export interface Tab {
  readonly text: string
  readonly to: string
  readonly icon?: string
  readonly count?: number | undefined
  readonly isCurrent: boolean
  /** Keyboard shortcut, such as `g c`. */
  readonly key?: string
}

export function tabs(list: readonly Tab[], name: string): Html {
  const one = ({ text, to, icon: iconName, count, isCurrent, key }: Tab) =>
    html`<a href="${to}"${isCurrent && html` aria-current="page"`}${key && html` data-key="${key}"`}>${iconName && icon(iconName)}<span data-text="${text}">${text}</span>${counter(count)}</a>`
  return html`<nav class="tabs" aria-label="${name}">${list.map(one)}</nav>`
}

/** A menu that works without JavaScript: a button with a popover. */
export function menu(id: string, button: Piece, items: Piece, name: string): Html {
  return html`<div class="menu"><button type="button" class="button quiet" popovertarget="${id}" aria-label="${name}">${button}</button>
<div id="${id}" popover class="menu-items">${items}</div></div>`
}
