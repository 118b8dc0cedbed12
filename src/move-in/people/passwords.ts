/** Password hashes keep their method; the first sign-in with a password hashes it anew. */
import { keepOldHash } from '#domains/people/users'
import { Left } from '../carry/carry.ts'
import type { SourceRow } from '../source/driver.ts'
import { number, text } from '../source/fields.ts'

/** What Gitea means by a method without parameters. */
const DEFAULTS: Readonly<Record<string, string>> = {
  '': 'pbkdf2$10000$50',
  pbkdf2: 'pbkdf2$10000$50',
  pbkdf2_v1: 'pbkdf2$10000$50',
  pbkdf2_v2: 'pbkdf2$50000$50',
  pbkdf2_hi: 'pbkdf2$320000$50',
  argon2: 'argon2$2$65536$8$50',
  scrypt: 'scrypt$65536$16$2$50',
  bcrypt: 'bcrypt$10',
}
/** Salts of this length are taken as text, others as hexadecimal. */
const SALT_AS_TEXT = 10

export function oldPasswordOf(row: SourceRow): string | Left {
  const digest = text(row.passwd)
  if (digest === '') return new Left('it has no password')
  const spec = text(row.passwd_hash_algo)
  const method = DEFAULTS[spec] ?? spec
  const salt = text(row.salt)
  const bytes = salt.length === SALT_AS_TEXT ? Buffer.from(salt) : Buffer.from(salt, 'hex')
  const [name = '', ...words] = method.split('$')
  return (
    keepOldHash({ method: name, parameters: words.map(number), salt: bytes, digest }) ??
    new Left(`its hash method is not known: ${name}`)
  )
}
