/** Actions that are hard to undo; each describes its effect and requires confirmation. */
import { type Html, html, type PageVisit } from '#platform/page'
import { button, field, form, hidden } from '../../../parts/forms.ts'
import type { RepositoryView } from '../../../parts/repository.ts'
import { repositorySettingsWords as words } from '../../../words/repository-settings.ts'

export function dangerBox(visit: PageVisit, { repo, may }: RepositoryView): Html {
  const confirm = (id: string) =>
    field({ id, name: 'confirm', label: words.typeName(repo.name), isRequired: true, autocomplete: 'off' })
  const acts = [
    act(
      repo.private ? words.makePublic : words.makePrivate,
      repo.private ? words.publicHelp : words.privateHelp,
      form(
        visit,
        'visibility',
        html`${hidden('private', repo.private ? 'false' : 'true')}${button(repo.private ? words.makePublic : words.makePrivate, { tone: 'danger' })}`,
      ),
    ),
    act(
      repo.archived ? words.unarchive : words.archive,
      words.archiveHelp,
      form(
        visit,
        'archive',
        html`${hidden('archived', repo.archived ? 'false' : 'true')}${button(repo.archived ? words.unarchive : words.archive, { tone: 'danger' })}`,
      ),
    ),
  ]
  const last = [
    act(
      words.transfer,
      repo.repo_transfer === null
        ? words.transferHelp
        : words.pendingTransfer(repo.repo_transfer.recipient.login),
      html`<details><summary>${words.transfer}</summary>${form(
        visit,
        'transfer',
        html`${field({ name: 'new_owner', label: words.newOwner, isRequired: true, autocomplete: 'off' })}${confirm('confirm-transfer')}${button(words.transfer, { tone: 'danger' })}`,
      )}</details>`,
    ),
    act(
      words.deleteIt,
      words.deleteHelp,
      html`<details><summary>${words.deleteIt}</summary>${form(visit, 'delete', html`${confirm('confirm-delete')}${button(words.deleteIt, { tone: 'danger' })}`)}</details>`,
    ),
  ]
  return html`<section class="box danger" aria-labelledby="danger"><header class="box-head"><h2 id="danger">${words.danger}</h2></header><ul class="rows">${acts}${may.own && last}</ul></section>`
}

function act(title: string, help: string, content: Html): Html {
  return html`<li class="row top"><div class="grow"><strong>${title}</strong><p class="row-text">${help}</p>${content}</div></li>`
}
