/** Tags, newest first. */
import {
  type FormVisit,
  type Html,
  html,
  type Page,
  type PageVisit,
  page,
  type Rendered,
} from '#platform/page'
import type { Tag } from '../../../gen/contract.ts'
import { links, type RepositoryPath } from '../../../links.ts'
import { empty, icon, time } from '../../../parts/basics.ts'
import { shortId } from '../../../parts/code/code-head.ts'
import { subjectOf } from '../../../parts/code/commit-line.ts'
import { formButton, refusal } from '../../../parts/forms.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../../parts/repository.ts'
import { branchWords as words } from '../../../words/branches.ts'

interface TagsView {
  readonly repository: RepositoryView
  readonly tags: readonly Tag[]
  readonly total: number
}

const LIMIT = 30

const tagsPage = page({
  path: '/:owner/:repo/tags',
  load: async (visit): Promise<TagsView> => {
    const { owner, repo } = visit.params
    const repository = await loadRepository(visit)
    const { items, total } = await visit.list('repoListTags', {
      owner,
      repo,
      page: pageNumber(visit),
      limit: LIMIT,
    })
    return { repository, tags: items, total }
  },
  show: showTags,
  forms: {
    delete: {
      does: ['repoDeleteTag'],
      handle: async ({ ask, params, fields, path }: FormVisit<RepositoryPath>) => {
        await ask('repoDeleteTag', { ...params, tag: fields.required('tag') })
        return path
      },
    },
  },
})

function showTags({ repository, tags, total }: TagsView, visit: PageVisit): Rendered {
  const { repo, may } = repository
  const mayWrite = may.code.write
  const list =
    tags.length === 0
      ? empty(
          words.noTags,
          html`<p>${words.noTagsHelp}</p><pre class="command">git tag v1.0.0 && git push origin v1.0.0</pre>`,
        )
      : html`<ul class="rows dense">${tags.map((it) => tagRow(repo, it, visit, mayWrite))}</ul>`
  return inRepository(repository, 'code', visit, {
    title: words.tags,
    body: html`<div class="code-head"><h1>${words.tags}</h1><span class="grow"></span><a class="button" href="${links.of(repo, 'branches')}">${icon('git-branch')}${words.branches}</a></div>
${refusal(visit, 'delete')}<section class="box"><header class="box-head"><h2>${words.tagCount(total)}</h2></header>${list}</section>${pager(visit, total, LIMIT)}`,
  })
}

function tagRow(repo: RepositoryView['repo'], tag: Tag, visit: PageVisit, mayWrite: boolean): Html {
  const { name, message, commit } = tag
  return html`<li class="row">${icon('tag')}<div class="grow"><a class="title" href="${links.source(repo, { kind: 'tag', name })}">${name}</a> ${message.trim() !== '' && html`<span class="quiet-text">${subjectOf(message)}</span>`}</div>
<span class="line-facts quiet-text"><a class="mono" href="${links.commit(repo, commit.sha)}">${shortId(commit.sha)}</a> ${time(commit.created, visit.ctx.now())}</span><a class="button quiet" href="${links.archive(repo, name, '.zip')}" rel="nofollow">${icon('download')}ZIP</a><a class="button quiet" href="${links.archive(repo, name, '.tar.gz')}" rel="nofollow">${icon('download')}TAR.GZ</a>${
    mayWrite &&
    formButton(visit, 'delete', icon('trash-2'), { tag: name }, { tone: 'quiet', label: words.delete(name) })
  }</li>`
}

export const tagPages: readonly Page[] = [tagsPage]
