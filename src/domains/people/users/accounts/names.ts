/** Validates names and email addresses of accounts. */
import { invalid } from '#platform/problem'

export const LOGIN_MAX = 40
export const EMAIL_MAX = 254

/** Starts and ends with a letter or digit, without two marks in a row. */
const LOGIN = /^[\da-z](?:[-._]?[\da-z])*$/i
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[\da-z](?:[\da-z.-]*[\da-z])?$/i

/** Compat: names that are, or were, a first path segment of the reference. */
const RESERVED = new Set(
  `admin api assets attachments avatar avatars captcha commits debug error explore favicon.ico ghost issues login
  manifest.json metrics milestones new notifications org pulls raw repo repo-avatars robots.txt search serviceworker.js sitemap.xml
  ssh_info swagger.v1.json openapi.json user v2 gitea-actions healthz readyz`.split(/\s+/),
)
const RESERVED_ENDINGS = ['.keys', '.gpg', '.rss', '.atom', '.png']

/** An operator may allow a reserved name, for an account of the installation itself. */
export function assertLogin(login: string, { isReservedAllowed = false } = {}): void {
  const key = login.toLowerCase()
  if (login.length > LOGIN_MAX || !LOGIN.test(login)) throw invalid('name is invalid', { login })
  if (RESERVED.has(key) && !isReservedAllowed) throw invalid('name is reserved', { login })
  if (RESERVED_ENDINGS.some((ending) => key.endsWith(ending)))
    throw invalid('name has a reserved suffix', { login })
}

export function assertEmail(email: string): void {
  if (!isEmail(email)) throw invalid('email address is invalid', { email })
}

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX && EMAIL.test(text) && !text.startsWith('-')
}
