/** The home page of a repository. Its forms are those of the repository head. */
import {
  type FormVisit,
  type Html,
  html,
  type Page,
  type PageVisit,
  page,
  Redirect,
  type Rendered,
} from '#platform/page'
import type { Release, Repository } from '../../gen/contract.ts'
import { back, links, type RepositoryPath, repositoryAt } from '../../links.ts'
import { empty, icon, outsideLink, pill, time } from '../../parts/basics.ts'
import { cloneFields, refSwitcher } from '../../parts/code/code-head.ts'
import { type ForkStatus, forkStatus, loadForkStatus } from '../../parts/code/fork-status.ts'
import { loadPushedBranches, type PushedBranches, pushedBranches } from '../../parts/code/pushed-branches.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { codeWords as words } from '../../words/code.ts'
import { bytes } from '../../words/site.ts'
import { type CodeView, loadPlace } from './files/place.ts'
import { codeActs } from './files/source.ts'
import { loadTree, readmeBox, type TreeView, treeBox } from './files/tree.ts'

interface HomeView {
  readonly repository: RepositoryView
  /** Undefined if the repository is empty or the viewer may not read code. */
  readonly code: (CodeView & { readonly tree: TreeView; readonly tags: number }) | undefined
  readonly languages: Readonly<Record<string, number>>
  readonly release: Release | undefined
  readonly pushed: PushedBranches | undefined
  readonly fork: ForkStatus | undefined
}

const INCLUDED = 'commit_metadata,commit_message'

const homePage = page({
  path: '/:owner/:repo',
  load: loadHome,
  show: showHome,
  forms: {
    star: { does: ['userCurrentPutStar'], handle: (visit) => act(visit, 'userCurrentPutStar') },
    unstar: { does: ['userCurrentDeleteStar'], handle: (visit) => act(visit, 'userCurrentDeleteStar') },
    watch: {
      does: ['userCurrentPutSubscription'],
      handle: (visit) => act(visit, 'userCurrentPutSubscription'),
    },
    unwatch: {
      does: ['userCurrentDeleteSubscription'],
      handle: (visit) => act(visit, 'userCurrentDeleteSubscription'),
    },
    sync: {
      does: ['repoMergeUpstream'],
      handle: async ({ ask, params: { owner, repo } }) => {
        const { default_branch: branch } = await ask('repoGet', { owner, repo })
        await ask('repoMergeUpstream', { owner, repo }, { branch })
        return links.repository(repositoryAt({ owner, repo }))
      },
    },
  },
})

async function loadHome(visit: PageVisit<RepositoryPath>): Promise<HomeView> {
  const { owner, repo: name } = visit.params
  // The clone URL, opened in a browser.
  if (name.endsWith('.git'))
    throw new Redirect(links.repository({ full_name: `${owner}/${name.slice(0, -4)}` }))
  const repository = await loadRepository(visit)
  const { repo, may } = repository
  const hasCode = may.code.read && !repo.empty
  const [code, languages, release, pushed, fork] = await Promise.all([
    hasCode ? loadTip(visit, repository) : undefined,
    hasCode ? visit.maybe('repoGetLanguages', { owner, repo: name }) : undefined,
    may.releases.read && repo.release_counter > 0
      ? visit.maybe('repoGetLatestRelease', { owner, repo: name })
      : undefined,
    loadPushedBranches(visit, repository),
    loadForkStatus(visit, repository),
  ])
  return { repository, code, languages: languages ?? {}, release, pushed, fork }
}

async function loadTip(
  visit: PageVisit<RepositoryPath>,
  repository: RepositoryView,
): Promise<HomeView['code']> {
  const { owner, repo: name } = visit.params
  const found = await loadPlace(visit, 'branch', repository.repo.default_branch)
  const { ref } = found.place
  const asked = { owner, repo: name, filepath: '', ref, includes: INCLUDED }
  const [{ dir_contents: entries = [] }, tags] = await Promise.all([
    visit.ask('repoGetContentsExt', asked),
    visit.ask('repoCountTags', { owner, repo: name }),
  ])
  const view = { repository, ...found }
  return { ...view, tree: await loadTree(visit, view, entries ?? []), tags }
}

function showHome(view: HomeView, visit: PageVisit): Rendered {
  const { repository, code } = view
  const { repo } = repository
  const main = code === undefined ? withoutCode(repository) : codeColumn(visit, code, view.fork)
  const feeds = html`<link rel="alternate" type="application/atom+xml" title="${repo.full_name}" href="${links.repository(repo)}.atom">
<link rel="canonical" href="${links.repository(repo)}">${
    visit.query.get('go-get') === '1' &&
    html`<meta name="go-import" content="${goPath(repo)} git ${repo.clone_url}">`
  }`
  return inRepository(repository, 'code', visit, {
    body: html`${pushedBranches(visit, view.pushed)}<div class="columns"><div>${main}</div>${aside(view, visit.ctx.now())}</div>`,
    head: feeds,
  })
}

/** Go module path of this repository. */
function goPath({ html_url }: Repository): string {
  return html_url.replace(/^https?:\/\//, '')
}

function codeColumn(
  visit: PageVisit,
  view: NonNullable<HomeView['code']>,
  fork: ForkStatus | undefined,
): Html {
  const { repository, place, refs, tree, tags } = view
  const { repo } = repository
  const switcher = refSwitcher(repo, place, refs, (ref) => links.source(repo, ref))
  return html`<div class="code-head">${switcher}<a class="quiet-link" href="${links.of(repo, 'branches')}">${icon('git-branch')}${words.branchCount(repo.branch_count)}</a>
<a class="quiet-link" href="${links.of(repo, 'tags')}">${icon('tag')}${words.tagCount(tags)}</a><span class="grow"></span>${codeActs(view)}</div>
${fork && forkStatus(visit, repository, fork)}${treeBox(view, tree, visit.ctx.now())}${readmeBox(view, tree)}`
}

/** An empty repository shows setup commands to users with write access. */
function withoutCode({ repo, may }: RepositoryView): Html {
  if (!may.code.read)
    return html`<div class="box">${empty(words.noCode, html`<p>${words.noCodeHelp}</p>`)}</div>`
  if (!may.code.write)
    return html`<div class="box empty"><p class="empty-title">${words.emptyTitle}</p><p>${words.emptyForReaders}</p></div>`
  const { clone_url, default_branch: branch } = repo
  const create = `touch README.md
git init --initial-branch=${branch}
git add README.md
git commit -m "Begin"
git remote add origin ${clone_url}
git push -u origin ${branch}`
  const push = `git remote add origin ${clone_url}
git push -u origin ${branch}`
  return html`<section class="box"><header class="box-head"><h2>${words.emptyTitle}</h2><a class="button" href="${links.change(repo, '_new', branch)}">${icon('file-plus')}${words.newFile}</a></header>
<div class="box-body"><p>${words.emptyHelp}</p><div class="clone">${cloneFields(repo)}</div>
<h3>${words.emptyNew}</h3><pre class="commands" tabindex="0">${create}</pre><h3>${words.emptyPush}</h3><pre class="commands" tabindex="0">${push}</pre></div></section>`
}

function aside({ repository: { repo, may }, languages, release }: HomeView, now: Date): Html {
  const { description, website, topics, licenses } = repo
  return html`<aside class="about" aria-label="${words.about}"><section><h2>${words.about}</h2>
<p>${description === '' ? html`<span class="quiet-text">${words.noDescription}</span>` : description}</p>${
    website !== '' && html`<p class="fact">${icon('link')}${outsideLink(website)}</p>`
  }${topics.length > 0 && html`<ul class="topics" aria-label="${words.topics}">${topics.map((topic) => html`<li><a class="pill" href="${links.topic(topic)}">${topic}</a></li>`)}</ul>`}
<ul class="about-facts">${licenses.length > 0 && html`<li>${icon('file')}${licenses.join(', ')}</li>`}
<li><a href="${links.of(repo, 'stars')}">${icon('star')}${words.stars(repo.stars_count)}</a></li>
<li><a href="${links.of(repo, 'watchers')}">${icon('eye')}${words.watchers(repo.watchers_count)}</a></li>
${may.code.read && html`<li><a href="${links.of(repo, 'forks')}">${icon('git-fork')}${words.forks(repo.forks_count)}</a></li>`}
<li>${icon('database')}${words.size(bytes(repo.size * 1024))}</li>${may.star && html`<li><a href="${links.report(links.of(repo))}">${icon('circle-alert')}${words.report}</a></li>`}</ul></section>
${release && latestRelease(repo, release, now)}${languageBar(languages)}</aside>`
}

function latestRelease(repo: Repository, release: Release, now: Date): Html {
  const { tag_name, name, prerelease, published_at } = release
  return html`<section><h2><a href="${links.of(repo, 'releases')}">${words.latestRelease}</a></h2>
<p class="fact">${icon('tag')}<a href="${links.release(repo, tag_name)}"><strong>${name || tag_name}</strong></a> ${prerelease && pill(words.prerelease, 'warn')}</p>
<p class="quiet-text">${time(published_at, now)}</p></section>`
}

const LANGUAGES_SHOWN = 6
/** Colours of code highlighting, reused for languages. */
const COLOURS = ['type', 'string', 'keyword', 'number', 'function', 'property']

function languageBar(languages: Readonly<Record<string, number>>): Html {
  const all = Object.entries(languages).sort(([, a], [, b]) => b - a)
  const sum = all.reduce((total, [, size]) => total + size, 0)
  if (sum === 0) return html``
  const shown = all.slice(0, LANGUAGES_SHOWN).map(([name, size], i) => ({
    name,
    percent: ((size / sum) * 100).toFixed(1),
    colour: `--c:var(--code-${COLOURS[i]})`,
  }))
  return html`<section><h2>${words.languages}</h2><div class="language-bar" aria-hidden="true">${shown.map(
    ({ percent, colour }) => html`<span style="${colour};width:${percent}%"></span>`,
  )}</div><ul class="languages">${shown.map(
    ({ name, percent, colour }) =>
      html`<li style="${colour}"><strong>${name}</strong> <span class="quiet-text">${percent} %</span></li>`,
  )}</ul></section>`
}

type Act =
  | 'userCurrentPutStar'
  | 'userCurrentDeleteStar'
  | 'userCurrentPutSubscription'
  | 'userCurrentDeleteSubscription'

/** Star and watch; then back to the page with the button. */
async function act({ ask, params, fields }: FormVisit<RepositoryPath>, operation: Act): Promise<string> {
  const { owner, repo } = params
  await ask(operation, { owner, repo })
  return back(fields.text('to'), links.repository(repositoryAt({ owner, repo })))
}

export const homePages: readonly Page[] = [homePage]
