/** Head of code pages: branch switcher, path and clone URLs. */
import { type Html, html, join, nothing, type Piece } from '#platform/page'
import { links, type RefPath } from '../../links.ts'
import { codeWords as words } from '../../words/code.ts'
import { icon, menu } from '../basics.ts'

interface Named {
  readonly full_name: string
}

/** The branches and tags that the switcher lists. */
export interface Refs {
  readonly branches: readonly string[]
  readonly tags: readonly string[]
}

const REF_ICONS = { branch: 'git-branch', tag: 'tag', commit: 'git-commit-horizontal' } as const
const ID_LENGTH = 10

export function shortId(sha: string): string {
  return sha.slice(0, ID_LENGTH)
}

/** Links to the same page on another branch or tag. */
export function refSwitcher(
  repo: Named,
  current: RefPath,
  { branches, tags }: Refs,
  to: (ref: RefPath) => string,
): Html {
  const shown = current.kind === 'commit' ? shortId(current.name) : current.name
  const item = (kind: 'branch' | 'tag') => (name: string) =>
    html`<a href="${to({ kind, name })}"${kind === current.kind && name === current.name && html` aria-current="true"`}>${icon(REF_ICONS[kind])}<span class="clip">${name}</span></a>`
  const filter = html`<form action="${links.of(repo, 'branches')}"><label class="unseen" for="find-branch">${words.findBranch}</label>
<input id="find-branch" type="search" name="q" placeholder="${words.findBranch}" maxlength="250"></form>`
  const items = html`${filter}<p class="menu-title">${words.branches}</p>${branches.map(item('branch'))}
<a class="quiet-text" href="${links.of(repo, 'branches')}">${words.allBranches}</a>${
    tags.length > 0 &&
    html`<p class="menu-title">${words.tags}</p>${tags.map(item('tag'))}<a class="quiet-text" href="${links.of(repo, 'tags')}">${words.allTags}</a>`
  }`
  const button = html`${icon(REF_ICONS[current.kind])}<span class="clip">${shown}</span>${icon('chevron-down')}`
  return html`<div class="ref-switcher">${menu('menu-ref', button, items, words.switchRef(shown))}</div>`
}

/** Breadcrumbs of a path. */
export function pathTrail(
  repo: Named & { readonly name: string },
  ref: RefPath,
  path: string,
  to: (folder: string) => string = (folder) => links.source(repo, ref, folder),
): Html {
  const steps = path === '' ? [] : path.split('/')
  const trail: Piece[] = [html`<a href="${links.source(repo, ref)}">${repo.name}</a>`]
  for (const [i, step] of steps.entries())
    trail.push(
      i === steps.length - 1
        ? html`<strong>${step}</strong>`
        : html`<a href="${to(steps.slice(0, i + 1).join('/'))}">${step}</a>`,
    )
  return html`<nav class="path-trail" aria-label="${words.path}">${join(trail, html`<span class="quiet-text"> / </span>`)}</nav>`
}

/** A read-only field with a copy button. */
export function copyField(id: string, label: string, text: string): Html {
  return html`<div class="copy-field"><label for="${id}">${label}</label><input id="${id}" class="mono" readonly value="${text}">${copyButton(text, words.copyThis(label))}</div>`
}

export function copyButton(text: string, label: string): Html {
  return html`<button type="button" class="button quiet" data-copy="${text}" aria-label="${label}" title="${label}">${icon('copy')}</button>`
}

interface Cloned extends Named {
  readonly clone_url: string
  readonly ssh_url: string
}

export function cloneMenu(repo: Cloned, ref: RefPath | null): Html {
  const archive =
    ref !== null &&
    html`<p class="menu-title">${words.archives}</p>
<a href="${links.archive(repo, ref.name, '.zip')}" rel="nofollow">${icon('download')}${words.zip}</a><a href="${links.archive(repo, ref.name, '.tar.gz')}" rel="nofollow">${icon('download')}${words.tarGz}</a>`
  const items = html`<div class="clone">${cloneFields(repo)}</div>${archive}`
  const button = html`${icon('download')}${words.clone}${icon('chevron-down')}`
  return html`<div class="clone-menu">${menu('menu-clone', button, items, words.clone)}</div>`
}

export function cloneFields({ clone_url, ssh_url }: Cloned): Html {
  return html`${copyField('clone-https', words.https, clone_url)}${ssh_url === '' ? nothing : copyField('clone-ssh', words.ssh, ssh_url)}
${copyField('clone-command', words.command, `git clone ${clone_url}`)}`
}
