/** Uploads and deletes files. */
import { type FormVisit, html, type Page, type PageVisit, page } from '#platform/page'
import { invalid } from '#platform/problem'
import { field, form, hidden, written } from '../../../parts/forms.ts'
import { inRepository } from '../../../parts/repository.ts'
import { changeWords as words } from '../../../words/change.ts'
import {
  type ChangePath,
  commitFields,
  commitOf,
  loadEditContext,
  loadTarget,
  resultOf,
} from './edit-context.ts'

const uploadPage = page({
  path: '/:owner/:repo/_upload/*place',
  requiresSignIn: true,
  load: loadEditContext,
  show: (edit, visit) =>
    inRepository(edit.repository, 'code', visit, {
      title: words.upload,
      body: html`<div class="settings"><h1>${words.upload}</h1>${form(
        visit,
        'upload',
        html`${field({ name: 'folder', label: words.folder, value: written(visit, 'upload', 'folder', edit.path), maxLength: 4_096 })}
<div class="field"><label for="field-files">${words.files}</label><input id="field-files" type="file" name="files" multiple required></div>
${commitFields(visit, edit, 'upload', words.messages.upload, words.commit)}`,
        { hasFiles: true },
      )}</div>`,
    }),
  forms: {
    upload: {
      does: ['repoChangeFiles'],
      handle: async (visit: FormVisit<ChangePath>) => {
        const { ask, params, fields } = visit
        const edit = await loadEditContext(visit)
        const folder = fields
          .text('folder')
          .trim()
          .replaceAll(/^\/+|\/+$/g, '')
        const files = fields.files('files')
        if (files.length === 0) throw invalid('files: is required')
        const commit = commitOf(fields, edit.branch)
        const { owner, repo } = params
        await ask(
          'repoChangeFiles',
          { owner, repo },
          {
            ...commit,
            files: files.map(({ name, bytes }) => ({
              operation: 'upload' as const,
              path: folder === '' ? name : `${folder}/${name}`,
              content: bytes.toString('base64'),
            })),
          },
        )
        return resultOf(edit.repository.repo, commit, folder)
      },
    },
  },
})

const deletePage = page({
  path: '/:owner/:repo/_delete/*place',
  requiresSignIn: true,
  load: async (visit: PageVisit<ChangePath>) => {
    const edit = await loadEditContext(visit)
    const { sha } = await loadTarget(visit, edit)
    return { ...edit, sha }
  },
  show: (view, visit) =>
    inRepository(view.repository, 'code', visit, {
      title: words.delete(view.path),
      body: html`<div class="settings"><h1>${words.delete(view.path)}</h1><p>${words.deleteHelp(view.path)}</p>${form(
        visit,
        'delete',
        html`${hidden('sha', view.sha)}${commitFields(visit, view, 'delete', words.messages.delete(view.path), words.deleteNow)}`,
      )}</div>`,
    }),
  forms: {
    delete: {
      does: ['repoDeleteFile'],
      handle: async (visit: FormVisit<ChangePath>) => {
        const { ask, params, fields } = visit
        const edit = await loadEditContext(visit)
        const commit = commitOf(fields, edit.branch)
        const { owner, repo } = params
        await ask(
          'repoDeleteFile',
          { owner, repo, filepath: edit.path },
          { ...commit, sha: fields.required('sha') },
        )
        return resultOf(edit.repository.repo, commit)
      },
    },
  },
})

export const fileChangePages: readonly Page[] = [uploadPage, deletePage]
