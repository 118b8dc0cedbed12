/** Creates, edits and publishes releases and their attachments. */
import { type Fields, type FormVisit, type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { draftsOf, dropSentDraft } from '../../../drafts.ts'
import type { Release } from '../../../gen/contract.ts'
import { links, type RepositoryPath, repositoryAt } from '../../../links.ts'
import { icon } from '../../../parts/basics.ts'
import { attachFiles } from '../../../parts/conversation/attach-files.ts'
import { composer } from '../../../parts/conversation/composer.ts'
import { button, check, field, form, formButton, written } from '../../../parts/forms.ts'
import {
  assertAllowed,
  inRepository,
  loadRepository,
  type RepositoryView,
} from '../../../parts/repository.ts'
import { releaseWords as words } from '../../../words/releases.ts'
import { bytes } from '../../../words/site.ts'
import { writeNotes } from './notes.ts'

interface TagPath extends RepositoryPath {
  readonly tag: string
}

const newPage = page({
  path: '/:owner/:repo/releases/new',
  requiresSignIn: true,
  load: async (visit) => {
    const repository = await loadToWrite(visit)
    const draft = draftPlace(repository)
    return { repository, begun: (await draftsOf(visit, draft))[draft] ?? '' }
  },
  show: ({ repository, begun }, visit) =>
    inRepository(repository, 'releases', visit, {
      title: words.new,
      body: html`<div class="settings"><h1>${words.new}</h1>${releaseForm(visit, repository, 'create', { begun })}</div>`,
    }),
  forms: {
    create: {
      does: [
        'repoCreateRelease',
        'repoCreateReleaseAttachment',
        'repoEditRelease',
        'draftsDrop',
        'draftsKeep',
      ],
      handle: (visit: FormVisit<RepositoryPath>) =>
        visit.fields.text('do') === 'notes' ? beginNotes(visit) : create(visit),
    },
  },
})

async function create(visit: FormVisit<RepositoryPath>): Promise<string> {
  const { ask, params, fields, ctx } = visit
  // Sent from the preview, it has no button.
  const isPublished = fields.text('do') === 'publish'
  const files = fields.files('files')
  const { id, tag_name } = await ask('repoCreateRelease', params, {
    ...said(fields),
    tag_name: fields.required('tag_name').trim(),
    // Published when its files are there: webhooks name them.
    draft: !isPublished || files.length > 0,
  })
  const at = { ...params, id }
  await attachFiles(visit, {
    text: fields.text('body'),
    attach: (file) => ask('repoCreateReleaseAttachment', at, undefined, file),
    setText: (body) => ask('repoEditRelease', at, { body }),
  })
  if (isPublished && files.length > 0 && !ctx.isDryRun) await ask('repoEditRelease', at, { draft: false })
  await dropSentDraft(visit)
  return links.release(repositoryAt(params), tag_name)
}

/** Adds the merged pull requests to the text, which the page then shows as a draft. */
async function beginNotes(visit: FormVisit<RepositoryPath>): Promise<string> {
  const { ask, params, fields } = visit
  const wanted = { tag: fields.text('tag_name').trim(), target: fields.text('target_commitish').trim() }
  const notes = await writeNotes(visit, wanted)
  const text = [fields.text('body').trim(), notes].filter((it) => it !== '').join('\n\n')
  await ask('draftsKeep', {}, { place: fields.required('draft'), text })
  return links.newRelease(repositoryAt(params), { ...wanted, title: fields.text('name') })
}

const editPage = page({
  path: '/:owner/:repo/releases/edit/*tag',
  requiresSignIn: true,
  load: async (visit) => {
    const repository = await loadToWrite(visit)
    return { repository, release: await visit.ask('repoGetReleaseByTag', visit.params) }
  },
  show: ({ repository, release }, visit) =>
    inRepository(repository, 'releases', visit, {
      title: words.edit,
      body: html`<div class="settings"><h1>${words.edit}</h1>${releaseForm(visit, repository, 'edit', { release })}${filesBox(visit, release)}
<section class="box"><header class="box-head"><h2>${words.delete}</h2></header><div class="box-text"><p>${words.deleteHelp}</p>${formButton(visit, 'delete', words.delete, {}, { tone: 'danger' })}</div></section></div>`,
    }),
  forms: {
    edit: {
      does: ['repoEditRelease'],
      handle: async (visit: FormVisit<TagPath>) => {
        const { ask, params, fields } = visit
        const { id } = await ask('repoGetReleaseByTag', params)
        const word = fields.text('do')
        const { tag_name } = await ask(
          'repoEditRelease',
          { ...params, id },
          {
            ...said(fields),
            ...(word === 'publish' && { draft: false }),
          },
        )
        return links.release(repositoryAt(params), tag_name)
      },
    },
    upload: {
      does: ['repoCreateReleaseAttachment'],
      handle: async ({ ask, params, fields, path }: FormVisit<TagPath>) => {
        const { id } = await ask('repoGetReleaseByTag', params)
        await ask('repoCreateReleaseAttachment', { ...params, id }, undefined, fields.upload('attachment'))
        return path
      },
    },
    remove: {
      does: ['repoDeleteReleaseAttachment'],
      handle: async ({ ask, params, fields, path }: FormVisit<TagPath>) => {
        const { id } = await ask('repoGetReleaseByTag', params)
        await ask('repoDeleteReleaseAttachment', { ...params, id, attachment_id: fields.required('id') })
        return path
      },
    },
    delete: {
      does: ['repoDeleteRelease'],
      handle: async ({ ask, params }: FormVisit<TagPath>) => {
        const { id } = await ask('repoGetReleaseByTag', params)
        await ask('repoDeleteRelease', { ...params, id })
        return links.of(repositoryAt(params), 'releases')
      },
    },
  },
})

async function loadToWrite(visit: PageVisit<RepositoryPath>): Promise<RepositoryView> {
  const repository = await loadRepository(visit)
  assertAllowed(repository.may.releases.write)
  return repository
}

/** Only a new release continues a draft: an existing one may have changed since. */
function draftPlace({ repo }: RepositoryView): string {
  return `release:${repo.id}`
}

function said(fields: Fields) {
  const target = fields.maybe('target_commitish')
  return {
    name: fields.text('name'),
    body: fields.text('body'),
    prerelease: fields.flag('prerelease'),
    ...(target !== undefined && { target_commitish: target.trim() }),
  }
}

function releaseForm(
  visit: PageVisit,
  view: RepositoryView,
  name: 'create' | 'edit',
  { release, begun = '' }: { readonly release?: Release; readonly begun?: string },
): Html {
  const { repo } = view
  const draft = release === undefined ? draftPlace(view) : undefined
  const isOut = release !== undefined && !release.draft
  const value = (field: string, old = '') => written(visit, name, field, old)
  const asked = (name: string, otherwise = '') => visit.query.get(name) ?? otherwise
  const places = html`${field({ name: 'tag_name', label: words.tag, value: value('tag_name', asked('tag')), help: words.tagHelp, isRequired: true, maxLength: 250 })}
${field({ name: 'target_commitish', label: words.target, value: value('target_commitish', asked('target', repo.default_branch)), help: words.targetHelp, maxLength: 250 })}`
  const buttons = isOut
    ? button(words.save, { tone: 'primary' })
    : html`${button(words.publish, { tone: 'primary', name: 'do', value: 'publish' })}${button(words.saveDraft, { name: 'do', value: 'draft' })}`
  const isPre =
    visit.failed?.form === name ? visit.failed.fields.flag('prerelease') : release?.prerelease === true
  return form(
    visit,
    name,
    html`${release === undefined && places}${field({ name: 'name', label: words.name, value: value('name', release?.name ?? asked('title')) })}
${composer(visit, { label: words.notes, draft, value: value('body', release?.body ?? begun), place: repo.full_name, rows: 10, takesFiles: release === undefined })}${release === undefined && html`<p>${button(words.writeNotes, { name: 'do', value: 'notes' })}</p>`}
${check({ name: 'prerelease', label: words.isPrerelease, help: words.isPrereleaseHelp, isChecked: isPre })}<div class="actions">${buttons}</div>`,
    draft === undefined ? {} : { draft, hasFiles: true },
  )
}

function filesBox(visit: PageVisit, { assets }: Release): Html {
  return html`<section class="box"><header class="box-head"><h2>${words.files(assets.length)}</h2></header><ul class="rows dense">${assets.map(
    ({ id, name, size }) =>
      html`<li class="row">${icon('package')}<span class="grow clip">${name}</span><span class="quiet-text mono">${bytes(size)}</span>${formButton(visit, 'remove', icon('trash-2'), { id }, { tone: 'quiet', label: words.removeFile(name) })}</li>`,
  )}</ul>${form(
    visit,
    'upload',
    html`<div class="field"><label for="field-attachment">${words.addFile}</label><input id="field-attachment" type="file" name="attachment" required></div>${button(words.upload)}`,
    { hasFiles: true },
  )}</section>`
}

export const releaseEditPages: readonly Page[] = [newPage, editPage]
