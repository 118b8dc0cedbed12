/** Pull and push mirrors of a repository. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import type { PushMirror, Repository } from '../../../gen/contract.ts'
import { box, empty, icon, outsideLink, time } from '../../../parts/basics.ts'
import { button, check, field, form, formButton, written } from '../../../parts/forms.ts'
import { loadRepository } from '../../../parts/repository.ts'
import { openRepositorySettings, repositoryOf } from '../../../scoped/scopes.ts'
import { repositorySettingsWords as words } from '../../../words/repository-settings.ts'

const mirrorsPage = page({
  path: '/:owner/:repo/settings/mirrors',
  requiresSignIn: true,
  load: async (visit) => {
    const view = await loadRepository(visit)
    const frame = openRepositorySettings(visit, view, 'mirrors')
    const mirrors = await visit.list('repoListPushMirrors', { ...repositoryOf(visit), limit: 50 })
    return { frame, repo: view.repo, mirrors: mirrors.items }
  },
  show: ({ frame, repo, mirrors }, visit) =>
    frame({
      title: words.mirrors,
      body: html`<h1>${words.mirrors}</h1>${repo.mirror && pullBox(visit, repo)}${box(
        words.pushMirrors,
        html`<p class="box-text">${words.pushMirrorsHelp}</p>${
          mirrors.length === 0
            ? empty(words.noMirrors)
            : html`<ul class="rows dense">${mirrors.map((it) => pushRow(visit, it))}</ul>`
        }${form(
          visit,
          'add',
          html`${field({ name: 'remote_address', label: words.remote, type: 'url', value: written(visit, 'add', 'remote_address'), isRequired: true, maxLength: 2048 })}<div class="pairs">${field({ name: 'remote_username', label: words.remoteUser, value: written(visit, 'add', 'remote_username'), autocomplete: 'off' })}${field({ name: 'remote_password', label: words.remotePassword, type: 'password', autocomplete: 'off', maxLength: 2048 })}${field({ name: 'interval', label: words.interval, help: words.intervalHelp, value: written(visit, 'add', 'interval', '8h'), maxLength: 50 })}</div>${check({ name: 'sync_on_commit', label: words.onCommit, isChecked: true })}${button(words.addMirror, { tone: 'primary' })}`,
        )}`,
        mirrors.length > 0 && formButton(visit, 'push-now', words.sync),
      )}`,
    }),
  forms: {
    interval: {
      does: ['repoEdit'],
      handle: async (visit) => {
        await visit.ask('repoEdit', repositoryOf(visit), {
          mirror_interval: visit.fields.text('mirror_interval').trim(),
        })
        return visit.path
      },
    },
    sync: {
      does: ['repoMirrorSync'],
      handle: async (visit) => {
        await visit.ask('repoMirrorSync', repositoryOf(visit))
        return visit.path
      },
    },
    'push-now': {
      does: ['repoPushMirrorSync'],
      handle: async (visit) => {
        await visit.ask('repoPushMirrorSync', repositoryOf(visit))
        return visit.path
      },
    },
    add: {
      does: ['repoAddPushMirror'],
      handle: async (visit) => {
        const { fields } = visit
        await visit.ask('repoAddPushMirror', repositoryOf(visit), {
          remote_address: fields.required('remote_address').trim(),
          remote_username: fields.text('remote_username'),
          remote_password: fields.text('remote_password'),
          interval: fields.text('interval').trim(),
          sync_on_commit: fields.flag('sync_on_commit'),
        })
        return visit.path
      },
    },
    delete: {
      does: ['repoDeletePushMirror'],
      handle: async (visit) => {
        const name = visit.fields.required('name')
        await visit.ask('repoDeletePushMirror', { ...repositoryOf(visit), name })
        return visit.path
      },
    },
  },
})

function pullBox(visit: PageVisit, repo: Repository): Html {
  return box(
    words.mirrorOf,
    html`<p class="box-text">${outsideLink(repo.original_url)}, ${words.lastSync} ${time(repo.mirror_updated, visit.ctx.now())}</p>${form(
      visit,
      'interval',
      html`${field({ name: 'mirror_interval', label: words.interval, help: words.intervalHelp, value: repo.mirror_interval, maxLength: 50 })}${button(words.save)}`,
      { class: 'row-form' },
    )}`,
    formButton(visit, 'sync', words.sync),
  )
}

function pushRow(visit: PageVisit, mirror: PushMirror): Html {
  const { remote_name, remote_address, interval, last_update, last_error } = mirror
  return html`<li class="row">${icon('upload')}<div class="grow"><strong>${remote_address}</strong><p class="row-facts"><span>${interval}</span>${last_update !== null && html`<span>${words.lastSync} ${time(last_update, visit.ctx.now())}</span>`}</p>${last_error !== '' && html`<p class="flash bad">${last_error}</p>`}</div>${formButton(visit, 'delete', words.remove, { name: remote_name }, { tone: 'danger', label: `${words.remove}: ${remote_address}` })}</li>`
}

export const mirrorPages: readonly Page[] = [mirrorsPage]
