/** The document around every page: head, bar, content, foot. */
import {
  addressOf,
  currentLanguage,
  type Html,
  html,
  type Language,
  nothing,
  type PageVisit,
  type Rendered,
} from '#platform/page'
import type { Site } from '#platform/site'
import { assetPath, tabPicture } from './assets.ts'
import { dryRunLink, dryRunNote } from './curl.ts'
import { linkPreview } from './link-preview.ts'
import { links, withQuery } from './links.ts'
import { avatar, icon, menu } from './parts/basics.ts'
import { form, hidden } from './parts/forms.ts'
import { LOGO } from './site-files.ts'
import { undoNotice } from './undo.ts'
import { islandWords } from './words/islands.ts'
import { LANGUAGES } from './words/languages.ts'
import { site as words } from './words/site.ts'
import { languageTag } from './words/spoken.ts'

const THEMES = new Set(['light', 'dark'])
/** The signed-in user, as the top bar shows them. */
interface Viewer {
  readonly login: string
  readonly avatar_url: string
  readonly isAdmin: boolean
  readonly unread: number
}

/**
 * Prefetches a link when the pointer is pressed. Not on hover: a page prefetched that way may be minutes old when it
 * is shown. Large diffs, raw files and non-page paths are excluded.
 */
const PREFETCH = html`<script type="speculationrules">{"prefetch":[{"where":{"and":[{"href_matches":"/*"},{"not":{"href_matches":["/user/logout","/api/*","/-/*","/attachments/*","/*/raw/*","/*/media/*","/*/archive/*","/*/compare/*","/*/files","/*.rss","/*.atom","/*.patch","/*.diff"]}},{"not":{"selector_matches":"[rel~=nofollow],[download],[target]"}}]},"eagerness":"conservative"}]}</script>`

export async function frame(visit: PageVisit, shown: Rendered): Promise<Html> {
  const viewer = await viewerOf(visit)
  const { mayRegister } = await visit.ask('signInGetWays', {})
  const theme = visit.cookie('theme')
  const { title, body, head, islands = [], isWide } = shown
  const { site } = visit.ctx
  const isRightToLeft = currentLanguage()?.direction === 'rtl'
  return html`<!doctype html>
<html lang="${languageTag()}"${isRightToLeft && html` dir="rtl"`}${THEMES.has(theme) && html` data-theme="${theme}"`}>
<head><meta charset="utf-8"><title>${title} · ${site.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${assetPath('site.css')}"><link rel="icon" href="${site.logo === undefined ? tabPicture() : LOGO}">
${['site.ts', ...islands].map((name) => html`<script type="module" src="${assetPath(`islands/${name}`)}"></script>`)}${PREFETCH}${linkPreview(visit, shown)}${head}</head>
<body${isWide && html` class="wide"`}${viewer && html` data-viewer="${viewer.login}"`} data-words="${JSON.stringify(islandWords)}"><a class="skip" href="#main">${words.skip}</a>
${bar(visit, shown.searchIn, viewer === null ? strangers(visit, mayRegister) : people(visit, viewer))}<main id="main" tabindex="-1">${dryRunNote(visit)}${await undoNotice(visit)}${body}</main>
<footer class="foot"><a href="/api/swagger">${words.interface}</a>${
    viewer &&
    html` <a href="${dryRunLink(visit)}" rel="nofollow" data-key="." data-does="acts">${words.actions}</a>`
  } <button type="button" class="link with-scripts" data-does="help">${words.keys}</button>${viewer === null && languages(visit)}</footer>
</body></html>`
}

/** For anonymous users, whose choice is in a cookie; accounts have it in their settings. */
function languages(visit: PageVisit): Html {
  const one = ({ tag, name }: Language) =>
    html`<button class="link" name="language" value="${tag}" lang="${tag}"${tag === languageTag() && html` aria-pressed="true"`}>${name}</button>`
  return form(visit, 'language', html`${hidden('to', addressOf(visit))}${LANGUAGES.map(one)}`, {
    action: '/-/language',
    class: 'foot-languages',
    label: words.language,
  })
}

/** The count of unread threads is one query, executed on every page of a signed-in user. */
async function viewerOf({ ctx, ask }: PageVisit): Promise<Viewer | null> {
  if (ctx.actor === null) return null
  const { new: unread = 0 } = (await ask('notifyNewAvailable', {})) ?? {}
  const { avatar_url } = await ask('userGetCurrent', {})
  const { login, isAdmin } = ctx.actor
  return { login, isAdmin, unread, avatar_url }
}

function logo({ logo }: Site): Html {
  if (logo !== undefined) return html`<img class="icon logo-mark" src="${LOGO}" alt="">`
  return html`<svg class="icon logo-mark" aria-hidden="true"><use href="${assetPath('icons.svg')}#bloomery"/></svg>`
}

function bar({ ctx: { site, actor } }: PageVisit, searchIn: string | undefined, end: Html): Html {
  const search = html`<form class="search" action="/search" role="search"><label class="unseen" for="bar-search">${words.search}</label>
<input id="bar-search" type="search" name="q" placeholder="${words.search}" maxlength="400" data-key="/" autocomplete="off">${searchIn && html`<input type="hidden" name="repo" value="${searchIn}">`}</form>`
  return html`<header class="bar"><a class="logo" href="${links.home}" data-key="g h" aria-label="${site.name}">${logo(site)}<span>${site.name}</span></a>
${search}<nav aria-label="${site.name}"><a href="${links.explore}" data-key="g e">${words.explore}</a>${
    actor === null
      ? nothing
      : html`<a href="${links.issues}" data-key="g i">${words.issues}</a><a href="${links.pulls}" data-key="g p">${words.pulls}</a>`
  }</nav><span class="grow"></span>${end}</header>`
}

function strangers({ path }: PageVisit, mayRegister: boolean): Html {
  const to = path === '/' || path === links.signIn ? undefined : path
  return html`<a class="button primary" href="${withQuery(links.signIn, { redirect_to: to })}">${words.signIn}</a>${mayRegister && html`<a class="button" href="${links.signUp}">${words.signUp}</a>`}`
}

function people(visit: PageVisit, viewer: Viewer): Html {
  const { unread, login, isAdmin } = viewer
  const bell = html`<a class="bell${unread > 0 && ' unread'}" href="${links.notifications}" data-key="g n" data-unread="${unread}" data-none="${words.notifications}" data-some="${words.unread('{n}')}" aria-label="${
    unread > 0 ? words.unread(unread) : words.notifications
  }">${icon('bell')}${unread > 0 && html`<span class="counter">${unread}</span>`}</a>`
  const create = html`<a href="${links.newRepository}">${icon('book')}${words.newRepository}</a><a href="${links.migrate}">${icon('download')}${words.migrate}</a>
<a href="${links.newOrganization}">${icon('building')}${words.newOrganization}</a>`
  const own = html`<p class="menu-title">${words.you(login)}</p><a href="${links.account(login)}">${icon('user')}${words.profile}</a>
<a href="${links.settings}">${icon('settings')}${words.settings}</a>${isAdmin && html`<a href="${links.admin}">${icon('server')}${words.administration}</a>`}
${themes(visit)}<a href="${links.signOut}">${icon('log-out')}${words.signOut}</a>`
  return html`<div class="bar-end">${bell}${menu('menu-create', icon('plus'), create, words.create)}${menu('menu-own', avatar(viewer, 24), own, words.you(login))}</div>`
}

/** The theme is in a cookie, so that the first paint is right. */
function themes(visit: PageVisit): Html {
  const current = visit.cookie('theme') || 'auto'
  const one = (name: keyof typeof words.themes, iconName: string) =>
    html`<button class="button quiet" name="theme" value="${name}" aria-pressed="${name === current ? 'true' : 'false'}" aria-label="${words.themes[name]}" title="${words.themes[name]}">${icon(iconName)}</button>`
  return form(
    visit,
    'theme',
    html`${hidden('to', visit.path)}<span>${words.theme}</span>${one('auto', 'monitor')}${one('light', 'sun')}${one('dark', 'moon')}`,
    { action: '/-/theme', class: 'themes', label: words.theme },
  )
}
