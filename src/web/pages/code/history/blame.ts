/** Blame: commit and author of each line, with newer lines in warmer colours. */
import type { BlamedLines } from '#domains/code/contents'
import { type Html, html, nothing, type Page, type PageVisit, page, type Rendered } from '#platform/page'
import { notFound, Problem } from '#platform/problem'
import { highlightLines } from '../../../highlight/index.ts'
import { links, sameWith } from '../../../links.ts'
import { time } from '../../../parts/basics.ts'
import { pathTrail, refSwitcher } from '../../../parts/code/code-head.ts'
import { subjectOf } from '../../../parts/code/commit-line.ts'
import { inRepository } from '../../../parts/repository.ts'
import { codeWords as words } from '../../../words/code.ts'
import { type CodeView, loadCode, type PlacePath } from '../files/place.ts'
import { textOf } from '../files/texts.ts'

interface BlamedBlock extends BlamedLines {
  readonly when: Date
  readonly lines: readonly Html[]
  /** From 0 (oldest) to HEATS - 1. */
  readonly heat: number
}

interface BlameView extends CodeView {
  readonly blocks: readonly BlamedBlock[]
  /** Number of commits that `.git-blame-ignore-revs` lists; undefined if it lists none. */
  readonly passedOver: number | undefined
}

const HEATS = 8
/** Gitea's name of the parameter. */
const BYPASS = 'bypass-blame-ignore'

const blamePage = page({
  path: '/:owner/:repo/blame/:kind/*place',
  load: loadBlame,
  show: showBlame,
})

async function loadBlame(visit: PageVisit<PlacePath>): Promise<BlameView> {
  const { owner, repo } = visit.params
  const view = await loadCode(visit)
  const { path, ref } = view.place
  const asked = { owner, repo, filepath: path, ref, includes: 'file_content' }
  const [{ file_contents: file }, blame] = await Promise.all([
    visit.ask('repoGetContentsExt', asked),
    visit.ask('repoGetBlame', { owner, repo, ref, path, bypasses_ignored: isBypassed(visit) }),
  ])
  if (!file) throw notFound('file', path)
  const text = textOf(file)
  if (text === undefined) throw new Problem('invalid', 'file is not a text')
  const lines = await highlightLines(visit.ctx, path, text)
  const times = blame.lines.flatMap(({ date }) => (date === undefined ? [] : Date.parse(date)))
  const [oldest, newest] = [Math.min(...times), Math.max(...times)]
  const blocks = blame.lines.map((it) => {
    const when = it.date === undefined ? oldest : Date.parse(it.date)
    const age = newest === oldest ? 1 : (when - oldest) / (newest - oldest)
    return {
      ...it,
      when: new Date(when),
      lines: lines.slice(it.start - 1, it.start - 1 + it.count),
      heat: Math.round(age * (HEATS - 1)),
    }
  })
  return { ...view, blocks, passedOver: blame.ignored }
}

function isBypassed({ query }: PageVisit): boolean {
  return query.get(BYPASS) === 'true'
}

/** Notes that commits are ignored, with a link that shows them. */
function passedOverNote({ passedOver = 0 }: BlameView, visit: PageVisit): Html {
  if (passedOver === 0) return nothing
  const is = isBypassed(visit)
  const said = is ? words.ignoreBypassed(passedOver) : words.ignoring(passedOver)
  return html`<p class="quiet-text">${said} <a href="${sameWith(visit, { [BYPASS]: is ? undefined : 'true' })}">${is ? words.ignoreAgain : words.ignoreBypass}</a></p>`
}

function showBlame(view: BlameView, visit: PageVisit): Rendered {
  const { repository, place, refs, blocks } = view
  const { repo } = repository
  const switcher = refSwitcher(repo, place, refs, (ref) => links.blame(repo, ref, place.path))
  return inRepository(repository, 'code', visit, {
    title: words.blameOf(place.path),
    hidesHeading: true,
    islands: ['lines.ts'],
    isFixed: place.kind === 'commit' && place.name === place.oid,
    body: html`<div class="code-head">${switcher}${pathTrail(repo, place, place.path)}<span class="grow"></span><span class="heat-legend quiet-text" aria-hidden="true">${words.older} ${Array.from(
      { length: HEATS },
      (_, heat) => html`<i class="heat-${heat}"></i>`,
    )} ${words.newer}</span>
<a class="button" href="${links.source(repo, place, place.path)}" data-key="B">${words.source}</a><a class="button" href="${links.commits(repo, place, place.path)}" data-key="h">${words.history}</a></div>${passedOverNote(view, visit)}
<section class="box blame">${blocks.map((block) => blockOf(view, block, visit.ctx.now()))}</section>`,
  })
}

function blockOf({ repository: { repo } }: BlameView, block: BlamedBlock, now: Date): Html {
  const { oid, parent, path, author, message, when, start, lines, heat } = block
  const before =
    parent !== undefined &&
    html`<a class="before" href="${links.blame(repo, { kind: 'commit', name: parent }, path)}" title="${words.before}">${words.before}</a>`
  return html`<div class="blame-block heat-${heat}"><div class="blame-commit"><a class="clip" href="${links.commit(repo, oid)}" title="${message.slice(0, 500)}">${subjectOf(message)}</a>
<span class="clip quiet-text author" title="${author}">${author}</span><span class="quiet-text">${time(when, now)}</span>${lines.length > 2 && before}</div>
<pre class="lines"><code>${lines.map((line, i) => html`<span class="l" id="L${start + i}" data-l="${start + i}">${line}\n</span>`)}</code></pre></div>`
}

export const blamePages: readonly Page[] = [blamePage]
