/** Edits an existing file or creates a new one. */
import { type FormVisit, type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { invalid } from '#platform/problem'
import { textEditor } from '../../../parts/code/text-editor.ts'
import { field, form, hidden, written } from '../../../parts/forms.ts'
import { inRepository } from '../../../parts/repository.ts'
import { changeWords as words } from '../../../words/change.ts'
import {
  type ChangePath,
  commitFields,
  commitOf,
  type EditContext,
  loadEditContext,
  loadTarget,
  pathIn,
  resultOf,
} from './edit-context.ts'

/** A file in the editor. */
export interface EditedFile {
  readonly path: string
  readonly text: string
  /** Blob id that was loaded: a concurrent change is not overwritten. */
  readonly sha: string
  readonly hasCrLf: boolean
}

type EditView = EditContext & EditedFile

const TEXT_MAX = 1_000_000

const editPage = page({
  path: '/:owner/:repo/_edit/*place',
  requiresSignIn: true,
  load: async (visit: PageVisit<ChangePath>): Promise<EditView> => {
    const edit = await loadEditContext(visit)
    return { ...edit, ...(await loadEdited(visit, edit)) }
  },
  show: (view, visit) =>
    inRepository(view.repository, 'code', visit, {
      islands: ['editor.ts'],
      title: words.edit(view.path),
      body: html`<h1>${words.edit(view.path)}</h1>${editor(visit, view, 'edit')}`,
    }),
  forms: {
    edit: {
      does: ['repoUpdateFile'],
      handle: async (visit: FormVisit<ChangePath>) => {
        const { ask, params, fields } = visit
        const edit = await loadEditContext(visit)
        const to = pathIn(fields, 'path')
        const commit = commitOf(fields, edit.branch)
        const { owner, repo } = params
        await ask(
          'repoUpdateFile',
          { owner, repo, filepath: to },
          {
            ...commit,
            content: contentIn(visit),
            sha: fields.required('sha'),
            ...(to !== edit.path && { from_path: edit.path }),
          },
        )
        return resultOf(edit.repository.repo, commit, to)
      },
    },
  },
})

const newPage = page({
  path: '/:owner/:repo/_new/*place',
  requiresSignIn: true,
  load: loadEditContext,
  show: (edit, visit) =>
    inRepository(edit.repository, 'code', visit, {
      islands: ['editor.ts'],
      title: words.new,
      body: html`<h1>${words.new}</h1>${editor(visit, { ...edit, path: edit.path === '' ? '' : `${edit.path}/`, text: '', sha: '', hasCrLf: false }, 'new')}`,
    }),
  forms: {
    new: {
      does: ['repoCreateFile'],
      handle: async (visit: FormVisit<ChangePath>) => {
        const { ask, params, fields } = visit
        const edit = await loadEditContext(visit)
        const path = pathIn(fields, 'path')
        const commit = commitOf(fields, edit.branch)
        const { owner, repo } = params
        await ask('repoCreateFile', { owner, repo, filepath: path }, { ...commit, content: contentIn(visit) })
        return resultOf(edit.repository.repo, commit, path)
      },
    },
  },
})

export async function loadEdited(
  visit: PageVisit<ChangePath>,
  place: Pick<EditContext, 'branch' | 'path'>,
): Promise<EditedFile> {
  const { content, sha } = await loadTarget(visit, place)
  const bytes = Buffer.from(content ?? '', 'base64')
  const text = bytes.toString('utf8')
  if (content === null || !Buffer.from(text).equals(bytes)) throw invalid(words.notText)
  return { path: place.path, text, sha, hasCrLf: text.includes('\r\n') }
}

/** Browsers normalize line ends, so CRLF is restored. */
export function contentIn({ fields }: FormVisit): string {
  const text = fields.text('text')
  return Buffer.from(fields.flag('crlf') ? text.replaceAll('\n', '\r\n') : text, 'utf8').toString('base64')
}

function editor(visit: PageVisit, view: EditView, name: 'edit' | 'new'): Html {
  const { path } = view
  const message = name === 'edit' ? words.messages.edit(path) : words.messages.new
  const { full_name } = view.repository.repo
  const content = html`${fileFields(visit, name, view, { repository: full_name, branch: view.branch })}${commitFields(visit, view, name, message, words.commit)}`
  return form(visit, name, content, {
    class: 'file-editor',
    draft: `file:${full_name}:${view.branch}:${path}`,
  })
}

/** Path and text. The first button is the one that Enter presses in a field, so that Enter does not preview. */
export function fileFields(
  visit: PageVisit,
  name: string,
  { path, text, sha, hasCrLf }: EditedFile,
  preview: { readonly repository: string; readonly branch: string },
): Html {
  const to = written(visit, name, 'path', path)
  return html`<button type="submit" hidden>${words.commit}</button>${sha !== '' && hidden('sha', written(visit, name, 'sha', sha))}${hasCrLf && hidden('crlf', 'true')}
${field({ name: 'path', label: words.path, value: to, help: words.pathHelp, isRequired: true, maxLength: 4_096 })}
${textEditor(visit, { name: 'text', label: words.text, value: written(visit, name, 'text', text), path: to, maxLength: TEXT_MAX, preview })}
`
}

export const editPages: readonly Page[] = [editPage, newPage]
