/** A version of a package: install command, files, other versions. */
import { type FormVisit, type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import type { Package, PackageFile } from '../../gen/contract.ts'
import { links, local, path } from '../../links.ts'
import { type AccountHead, inAccount, loadAccountHead } from '../../parts/account.ts'
import { box, icon, person, pill, time } from '../../parts/basics.ts'
import { copyButton } from '../../parts/code/code-head.ts'
import { button, field, form, formButton, written } from '../../parts/forms.ts'
import { packageWords as words } from '../../words/packages.ts'
import { bytes } from '../../words/site.ts'
import { installCommand } from './install.ts'

interface VersionPath {
  readonly owner: string
  readonly type: string
  readonly name: string
  readonly version: string
}

interface PackageView {
  readonly head: AccountHead
  readonly one: Package
  readonly files: readonly PackageFile[]
  readonly versions: readonly Package[]
  readonly mayWrite: boolean
}

const VERSIONS_SHOWN = 20

const packagePage = page({
  path: '/:owner/-/packages/:type/:name/:version',
  load: async (visit): Promise<PackageView> => {
    const { params, ctx } = visit
    const { owner, type, name } = params
    const [head, one, files, versions] = await Promise.all([
      loadAccountHead(visit, owner),
      visit.ask('getPackage', params),
      visit.ask('listPackageFiles', params),
      visit.list('listPackageVersions', { owner, type, name, limit: VERSIONS_SHOWN }),
    ])
    // Only hides the buttons from outsiders; access is checked when a form is sent.
    const mayWrite =
      ctx.actor !== null &&
      (ctx.actor.isAdmin || ctx.actor.id === one.owner.id || one.owner.type === 'Organization')
    return { head, one, files, versions: versions.items, mayWrite }
  },
  show: (view, visit) => {
    const { head, one } = view
    return inAccount(head, 'packages', {
      title: `${one.name} ${one.version}`,
      body: html`<h1>${icon('package')} ${one.name} <span class="quiet-text">${one.version}</span> ${pill(one.type)}</h1>
<div class="columns"><div>${install(visit, view)}${fileList(view)}</div>
<aside>${details(visit, view)}${versionList(visit, view)}</aside></div>`,
    })
  },
  forms: {
    delete: {
      does: ['deletePackageVersion'],
      isDangerous: true,
      handle: async ({ ask, params }) => {
        await ask('deletePackageVersion', params)
        return path(params.owner, '-', 'packages')
      },
    },
    link: { does: ['linkPackage'], handle: link },
    unlink: {
      does: ['unlinkPackage'],
      handle: async ({ ask, params: { owner, type, name }, path: here }) => {
        await ask('unlinkPackage', { owner, type, name })
        return here
      },
    },
  },
})

async function link({ ask, params, fields, path: here }: FormVisit<VersionPath>): Promise<string> {
  const { owner, type, name } = params
  await ask('linkPackage', { owner, type, name, repo_name: fields.required('repo_name') })
  return here
}

function install({ ctx }: PageVisit, { one, files }: PackageView): Html {
  const command = installCommand(ctx.site, one, files)
  if (command === undefined) return nothing
  return box(
    words.install,
    html`<div class="box-text"><pre class="command">${command}</pre></div>`,
    copyButton(command, words.copyCommand),
  )
}

function fileList({ one, files }: PackageView): Html {
  const isGeneric = one.type === 'generic'
  const row = ({ name, size, sha256 }: PackageFile) =>
    html`<tr><td>${
      isGeneric
        ? html`<a href="${path('api', 'packages', one.owner.login, 'generic', one.name, one.version, name)}">${name}</a>`
        : name
    }</td><td class="quiet-text">${bytes(size)}</td><td class="mono">${sha256.slice(0, 16)}…</td></tr>`
  return box(
    words.files,
    html`<div class="scrolls" tabindex="0"><table class="list"><thead><tr><th>${words.file}</th><th>${words.size}</th><th>${words.digest}</th></tr></thead><tbody>${files.map(row)}</tbody></table></div>`,
  )
}

function details(visit: PageVisit, { one, mayWrite }: PackageView): Html {
  const repository =
    one.repository &&
    html`<dt>${words.repository}</dt><dd><a href="${links.repository(one.repository)}">${one.repository.full_name}</a></dd>`
  const acts =
    mayWrite &&
    html`<div class="box-text stack">${
      one.repository === null
        ? form(
            visit,
            'link',
            html`${field({ name: 'repo_name', label: words.link, help: words.linkHelp, value: written(visit, 'link', 'repo_name'), isRequired: true })}${button(words.linkSubmit)}`,
          )
        : formButton(visit, 'unlink', words.unlink)
    }${formButton(visit, 'delete', html`${icon('trash-2')}${words.deleteVersion}`, {}, { tone: 'danger' })}</div>`
  return box(
    words.details,
    html`<dl class="facts"><dt>${words.published}</dt><dd>${time(one.created_at, visit.ctx.now())} ${one.creator && person(one.creator)}</dd>${repository}</dl>${acts}`,
  )
}

function versionList({ ctx }: PageVisit, { versions }: PackageView): Html {
  return box(
    words.versions,
    html`<ul class="rows dense">${versions.map(
      (it) =>
        html`<li class="row"><a class="title grow" href="${local(it.html_url)}">${it.version}</a><span class="quiet-text">${time(it.created_at, ctx.now())}</span></li>`,
    )}</ul>`,
  )
}

export const packagePages: readonly Page[] = [packagePage]
