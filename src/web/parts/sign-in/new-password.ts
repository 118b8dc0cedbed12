/** A new password, entered twice. */
import { type Fields, type Html, html, type PageVisit } from '#platform/page'
import { invalid } from '#platform/problem'
import { signInWords as words } from '../../words/sign-in.ts'
import { field } from '../forms.ts'

/** Includes the login, so that password managers can associate it. */
export function passwordFields(visit: PageVisit, login: string, isFocused = visit.failed === null): Html {
  return html`<input type="text" name="username" value="${login}" autocomplete="username" hidden>
${passwordField(visit, { label: words.newPassword, isRequired: true, isFocused })}
${field({ name: 'again', label: words.again, type: 'password', autocomplete: 'new-password', isRequired: true })}`
}

interface PasswordFacts {
  readonly label: string
  readonly help?: string
  readonly isRequired?: boolean
  readonly isFocused?: boolean
}

/** A password that is being chosen: states its least length, and is marked if that was the reason of the refusal. */
export function passwordField({ ctx, failed }: PageVisit, { help, ...facts }: PasswordFacts): Html {
  const least = ctx.config['password.length_min']
  return field({
    ...facts,
    name: 'password',
    type: 'password',
    autocomplete: 'new-password',
    minLength: least,
    isInvalid: failed?.problem.details.least !== undefined,
    help: help === undefined ? words.atLeast(least) : html`${help} ${words.atLeast(least)}`,
  })
}

export function newPassword(fields: Fields): string {
  const password = fields.text('password')
  if (password !== fields.text('again')) throw invalid(words.differ)
  return password
}
