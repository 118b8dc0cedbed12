/** The second step of signing in: a code of an app, or one of those that were written down. */
import { endStep, type Factor, findStep, isRecoveryCode, useRecoveryCode } from '#domains/sessions'
import { type Account, findAccountById, proveCode, useCode } from '#domains/users'
import { type FormVisit, html, type Page, page, type Went } from '#platform/page'
import { Problem } from '#platform/problem'
import { back, links } from '../../links.ts'
import { button, field, form, formButton, hidden } from '../../parts/forms.ts'
import { signInWords as words } from '../../words/en/sign-in.ts'
import { goOn, stepToken } from './begin.ts'

const secondFactorPage = page({
  path: '/user/two_factor',
  load: async ({ query }) => ({ to: back(query.get('redirect_to'), links.home) }),
  show: ({ to }, visit) => ({
    title: words.factorTitle,
    body: html`<div class="narrow"><h1>${words.factorTitle}</h1>${form(
      visit,
      'code',
      html`${hidden('to', to)}${field({ name: 'passcode', label: words.code, autocomplete: 'one-time-code', isRequired: true, isFocused: visit.failed === null, maxLength: 40 })}
${button(words.factorSubmit, { tone: 'primary' })}`,
    )}<div class="ways">${formButton(visit, 'ask', words.passkey, { to, keep: 'true' }, { action: links.passkey })}
<p><a href="${links.signIn}">${words.title}</a></p></div></div>`,
  }),
  forms: { code: { does: ['web:sign-in'], handle: signInByCode } },
})

async function signInByCode(visit: FormVisit): Promise<Went> {
  const { ctx, fields } = visit
  const step = await findStep(ctx, stepToken(visit), 'second_factor')
  const account = step?.account_id ? await findAccountById(ctx.db, step.account_id) : undefined
  if (step === undefined || account === undefined) throw new Problem('invalid', words.factorLost)
  const factor = await prove(visit, account, fields.text('passcode').trim())
  if (factor === undefined) throw new Problem('invalid', words.wrong)
  if (!(await endStep(ctx, step))) throw new Problem('invalid', words.factorLost)
  const to = back(fields.text('to'), links.home)
  return goOn(visit, { account, factors: [...step.factors, factor], keeps: step.keeps, to })
}

/** Codes of both kinds are counted together: whoever guesses has so many tries, whichever they guess. */
async function prove({ ctx, from }: FormVisit, account: Account, code: string): Promise<Factor | undefined> {
  const factor = isRecoveryCode(code) ? 'recovery' : 'totp'
  const isGood = await proveCode(
    ctx,
    account,
    async (totp) =>
      totp !== undefined &&
      (factor === 'recovery' ? useRecoveryCode(ctx, account.id, code) : useCode(ctx, totp, code)),
    from.address,
  )
  return isGood ? factor : undefined
}

export const secondFactorPages: readonly Page[] = [secondFactorPage]
