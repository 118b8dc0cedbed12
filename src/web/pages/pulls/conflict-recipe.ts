/** The commands that resolve conflicts of a pull request in a clone, for those who may push to its branch. */
import { type Html, html, nothing } from '#platform/page'
import { icon } from '../../parts/basics.ts'
import { shellWord } from '../../parts/command.ts'
import { contributeWords as words } from '../../words/contribute.ts'
import { site } from '../../words/site.ts'
import type { PullView } from './load.ts'

export function conflictRecipe({ pull, tip }: PullView): Html {
  const { base, head, number } = pull
  if (!tip.mayPush || head.repo === null || base.repo === null) return nothing
  const commands = `git fetch ${base.repo.clone_url} refs/pull/${number}/head
git switch -c pull-${number} FETCH_HEAD
git pull --no-rebase ${base.repo.clone_url} ${shellWord(`refs/heads/${base.ref}`)}
# ${words.recipeEdit}
git commit --all --no-edit
git push ${head.repo.clone_url} ${shellWord(`HEAD:refs/heads/${head.ref}`)}`
  return html`<div class="box-text"><details><summary>${words.recipe}</summary><p>${words.recipeHelp}</p><pre class="commands" tabindex="0">${commands}</pre><button type="button" class="button" data-copy="${commands}">${icon('copy')}${site.copy}</button></details></div>`
}
