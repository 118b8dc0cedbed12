/** File finder: all files of a branch, tag or commit, filtered by letters of their paths. */
import { type Html, html, type Page, type PageVisit, page, type Rendered } from '#platform/page'
import { links } from '../../../links.ts'
import { empty } from '../../../parts/basics.ts'
import { refSwitcher } from '../../../parts/code/code-head.ts'
import { inRepository } from '../../../parts/repository.ts'
import { activityWords as words } from '../../../words/activity.ts'
import { type CodeView, loadCode, type PlacePath } from './place.ts'

interface FindView extends CodeView {
  readonly paths: readonly string[]
  readonly isCut: boolean
  readonly asked: string
}

const FILES_MAX = 5_000
const TREE_MAX = 10_000

const findPage = page({
  path: '/:owner/:repo/find/:kind/*place',
  load: async (visit: PageVisit<PlacePath>): Promise<FindView> => {
    const { owner, repo } = visit.params
    const view = await loadCode(visit)
    const tree = { owner, repo, ref: view.place.ref, path: '', is_recursive: true, limit: TREE_MAX }
    const { entries, isTruncated } = await visit.ask('repoListEntries', tree)
    const asked = (visit.query.get('q') ?? '').slice(0, 250)
    const files = entries.filter(({ type }) => type !== 'tree').map(({ path }) => path)
    const found = asked === '' ? files : files.filter((path) => hasLetters(path, asked))
    return {
      ...view,
      paths: found.slice(0, FILES_MAX),
      isCut: isTruncated || found.length > FILES_MAX,
      asked,
    }
  },
  show: showFinder,
})

/** Whether the letters occur in this order, as in the island's scorer. */
function hasLetters(path: string, asked: string): boolean {
  const text = path.toLowerCase()
  let at = 0
  for (const letter of asked.toLowerCase().replaceAll(/\s/g, '')) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

function showFinder(view: FindView, visit: PageVisit): Rendered {
  const { repository, place, refs, paths, isCut, asked } = view
  const { repo } = repository
  const switcher = refSwitcher(repo, place, refs, (ref) => links.find(repo, ref))
  const one = (path: string): Html => html`<li><a href="${links.source(repo, place, path)}">${path}</a></li>`
  return inRepository(repository, 'code', visit, {
    title: words.find,
    hidesHeading: true,
    islands: ['finder.ts'],
    body: html`<div class="code-head">${switcher}<form class="grow" action="${links.find(repo, place)}"><label class="unseen" for="finder">${words.findIn(place.name)}</label>
<input id="finder" type="search" name="q" value="${asked}" placeholder="${words.findIn(place.name)}" maxlength="250" autocomplete="off" autofocus></form></div>
<section class="box"><ul class="finder mono" id="finder-list">${paths.map(one)}</ul>${paths.length === 0 && empty(words.noFiles)}${
      isCut && html`<p class="box-text quiet-text">${words.tooMany(FILES_MAX)}</p>`
    }</section>`,
  })
}

export const findPages: readonly Page[] = [findPage]
