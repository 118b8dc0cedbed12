/** General settings of a repository: name, units, merge methods, deletion. */
import { type FormVisit, html, type Page, page } from '#platform/page'
import { invalid } from '#platform/problem'
import { links, type RepositoryPath } from '../../../links.ts'
import { avatar, box } from '../../../parts/basics.ts'
import { button, field, form, formButton } from '../../../parts/forms.ts'
import { loadRepository } from '../../../parts/repository.ts'
import { openRepositorySettings } from '../../../scoped/scopes.ts'
import { repositorySettingsWords as words } from '../../../words/repository-settings.ts'
import { dangerBox } from './danger.ts'
import { factsForm, mergingForm, readFacts, readMerging, readUnits, unitsForm } from './general-forms.ts'

type Visit = FormVisit<RepositoryPath>

const PICTURE_BYTES_MAX = 1_048_576

const generalPage = page({
  path: '/:owner/:repo/settings',
  requiresSignIn: true,
  load: loadRepository,
  show: (view, visit) => {
    const { repo } = view
    const picture = html`${repo.avatar_url !== '' && avatar({ login: repo.name, avatar_url: repo.avatar_url }, 64)}${form(
      visit,
      'picture',
      html`${field({ name: 'picture', label: words.picture, type: 'file', isRequired: true })}${button(words.upload)}`,
      { hasFiles: true, class: 'row-form' },
    )}${repo.avatar_url !== '' && formButton(visit, 'drop-picture', words.removePicture, {}, { tone: 'quiet' })}`
    return openRepositorySettings(
      visit,
      view,
      'general',
    )({
      title: words.general,
      body: html`<h1>${words.general}</h1>${factsForm(visit, repo)}${box(words.units, unitsForm(visit, repo))}${
        repo.has_pull_requests && box(words.merging, mergingForm(visit, repo))
      }${box(words.picture, picture)}${dangerBox(visit, view)}`,
    })
  },
  forms: {
    facts: {
      does: ['repoEdit', 'repoUpdateTopics'],
      handle: async ({ ask, params, fields }) => {
        const { owner, repo } = params
        const topics = fields
          .text('topics')
          .split(/[\s,]+/)
          .filter((it) => it !== '')
        await ask('repoUpdateTopics', { owner, repo }, { topics })
        const edited = await ask('repoEdit', { owner, repo }, readFacts(fields))
        return links.of(edited, 'settings')
      },
    },
    units: { does: ['repoEdit'], handle: (visit) => edit(visit, readUnits(visit.fields)) },
    merging: { does: ['repoEdit'], handle: (visit) => edit(visit, readMerging(visit.fields)) },
    picture: {
      does: ['repoUpdateAvatar'],
      handle: async ({ ask, params: { owner, repo }, fields, path }) => {
        const [file] = fields.files('picture')
        if (file === undefined || file.bytes.length > PICTURE_BYTES_MAX) throw invalid('picture is too large')
        await ask('repoUpdateAvatar', { owner, repo }, { image: file.bytes.toString('base64') })
        return path
      },
    },
    'drop-picture': {
      does: ['repoDeleteAvatar'],
      handle: async ({ ask, params: { owner, repo }, path }) => {
        await ask('repoDeleteAvatar', { owner, repo })
        return path
      },
    },
    visibility: {
      does: ['repoEdit'],
      isDangerous: true,
      handle: (visit) => edit(visit, { private: visit.fields.flag('private') }),
    },
    archive: {
      does: ['repoEdit'],
      handle: (visit) => edit(visit, { archived: visit.fields.flag('archived') }),
    },
    transfer: {
      does: ['repoTransfer'],
      isDangerous: true,
      handle: async (visit) => {
        const { owner, repo } = assertTyped(visit)
        const new_owner = visit.fields.required('new_owner').trim()
        return links.repository(await visit.ask('repoTransfer', { owner, repo }, { new_owner }))
      },
    },
    delete: {
      does: ['repoDelete'],
      isDangerous: true,
      handle: async (visit) => {
        const { owner, repo } = assertTyped(visit)
        await visit.ask('repoDelete', { owner, repo })
        return links.account(owner)
      },
    },
  },
})

async function edit(
  { ask, params: { owner, repo }, path }: Visit,
  change: Parameters<typeof ask<'repoEdit'>>[2],
): Promise<string> {
  await ask('repoEdit', { owner, repo }, change)
  return path
}

/** Irreversible actions require the name of the repository. */
function assertTyped({ params: { owner, repo }, fields }: Visit): RepositoryPath {
  const typed = fields.text('confirm').trim()
  if (typed !== repo && typed !== `${owner}/${repo}`) throw invalid(words.nameDiffers)
  return { owner, repo }
}

export const generalPages: readonly Page[] = [generalPage]
