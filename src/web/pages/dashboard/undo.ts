/** Takes back what an account did a moment ago. */
import type { Act } from '#domains/work/undo'
import { type FormVisit, html, type Page, page, Redirect } from '#platform/page'
import { invalid } from '#platform/problem'
import { back, links } from '../../links.ts'
import { refusal } from '../../parts/forms.ts'
import { undoWords as words } from '../../words/undo.ts'

const undoPage = page({
  path: '/-/undo',
  requiresSignIn: true,
  load: async ({ failed }) => {
    if (failed === null) throw new Redirect(links.home)
    return { to: back(failed.fields.text('to'), links.home) }
  },
  show: ({ to }, visit) => ({
    title: words.title,
    body: html`<h1>${words.title}</h1>${refusal(visit, 'undo')}<p><a class="button" href="${to}">${words.back}</a></p>`,
  }),
  forms: {
    undo: {
      does: [
        'repoRestoreBranch',
        'issueEditIssue',
        'repoEditPullRequest',
        'repoAddCollaborator',
        'orgAddTeamMember',
        'undoDrop',
      ],
      handle: undo,
    },
  },
})

/** With the permissions of now, not of the act. */
async function undo(visit: FormVisit): Promise<string> {
  const { ctx, ask, fields } = visit
  const id = fields.number('id') ?? 0
  const act = await ask('undoFind', { id })
  if (act === undefined) throw invalid(words.gone)
  await takeBack(visit, act)
  if (!ctx.isDryRun) await ask('undoDrop', {}, { id })
  return back(fields.text('to'), links.home)
}

async function takeBack(visit: FormVisit, act: Act): Promise<void> {
  const { ask, maybe } = visit
  if ('account_id' in act) await assertSameAccount(visit, act)
  if (act.kind === 'member') {
    await ask('orgAddTeamMember', { id: act.team_id, username: act.login })
    return
  }
  const repository = await maybe('repoGetByID', { id: act.repository_id })
  if (repository === undefined) throw invalid(words.gone)
  const at = { owner: repository.owner.login, repo: repository.name }
  if (act.kind === 'branch') await ask('repoRestoreBranch', at, { name: act.name })
  else if (act.kind === 'collaborator')
    await ask('repoAddCollaborator', { ...at, collaborator: act.login }, { permission: act.permission })
  else if (act.is_pull) await ask('repoEditPullRequest', { ...at, index: act.index }, { state: 'open' })
  else await ask('issueEditIssue', { ...at, index: act.index }, { state: 'open' })
}

/** The account may have been renamed or deleted, and its name be that of another now. */
async function assertSameAccount(
  { maybe }: FormVisit,
  { account_id, login }: { readonly account_id: number; readonly login: string },
): Promise<void> {
  const user = await maybe('userGet', { username: login })
  if (user?.id !== account_id) throw invalid(words.gone)
}

export const undoPages: readonly Page[] = [undoPage]
