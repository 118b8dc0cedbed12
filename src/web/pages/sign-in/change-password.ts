/** A password that was given to somebody is changed before anything else. */
import { endStep, findStep } from '#domains/sessions'
import { findAccountById, setPassword } from '#domains/users'
import { type FormVisit, html, type Page, page, type Went } from '#platform/page'
import { Problem } from '#platform/problem'
import { back, links } from '../../links.ts'
import { button, form, hidden } from '../../parts/forms.ts'
import { newPassword, passwordFields } from '../../parts/sign-in/new-password.ts'
import { signInWords as words } from '../../words/en/sign-in.ts'
import { goOn, stepToken } from './begin.ts'

const changePasswordPage = page({
  path: '/user/settings/change_password',
  load: async ({ query }) => ({ to: back(query.get('redirect_to'), links.home) }),
  show: ({ to }, visit) => ({
    title: words.changeTitle,
    body: html`<div class="narrow"><h1>${words.changeTitle}</h1><p>${words.change}</p>${form(
      visit,
      'change',
      html`${hidden('to', to)}
${passwordFields('', visit.failed === null)}
${button(words.changeSubmit, { tone: 'primary' })}`,
    )}</div>`,
  }),
  forms: { change: { does: ['web:sign-in'], handle: change } },
})

async function change(visit: FormVisit): Promise<Went> {
  const { ctx, fields } = visit
  const step = await findStep(ctx, stepToken(visit), 'change_password')
  const account = step?.account_id ? await findAccountById(ctx.db, step.account_id) : undefined
  if (step === undefined || account === undefined) throw new Problem('invalid', words.factorLost)
  await setPassword(ctx, account, newPassword(fields), async (ctx) => {
    if (!(await endStep(ctx, step))) throw new Problem('invalid', words.factorLost)
  })
  const to = back(fields.text('to'), links.home)
  const changed = { ...account, must_change_password: false }
  return goOn(visit, { account: changed, factors: step.factors, keeps: step.keeps, to })
}

export const changePasswordPages: readonly Page[] = [changePasswordPage]
