/** A new password, entered twice. */
import { type Fields, type Html, html } from '#platform/page'
import { invalid } from '#platform/problem'
import { signInWords as words } from '../../words/en/sign-in.ts'
import { field } from '../forms.ts'

/** Includes the login, so that password managers can associate it. */
export function passwordFields(login: string, isFocused: boolean): Html {
  return html`<input type="text" name="username" value="${login}" autocomplete="username" hidden>
${field({ name: 'password', label: words.newPassword, type: 'password', autocomplete: 'new-password', isRequired: true, isFocused })}
${field({ name: 'again', label: words.again, type: 'password', autocomplete: 'new-password', isRequired: true })}`
}

export function newPassword(fields: Fields): string {
  const password = fields.text('password')
  if (password !== fields.text('again')) throw invalid(words.differ)
  return password
}
