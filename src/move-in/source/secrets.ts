/**
 * Decrypts what Gitea encrypts with its SECRET_KEY: AES in CFB mode, the first block is the initialization vector. Columns of
 * bytes are those of Forgejo.
 */
import { createDecipheriv, createHash } from 'node:crypto'
import type { SourceRow } from './driver.ts'
import { number, text } from './fields.ts'
import { decryptForgejoSecret } from './forgejo-secrets.ts'

const BLOCK = 16
const BASE64 = /^[A-Za-z\d+/]*={0,2}$/

/** Secrets of Actions. */
export function decryptActionSecret(secretKey: string, { id, data }: SourceRow): string {
  if (data instanceof Uint8Array)
    return decryptForgejoSecret(secretKey, { purpose: 'action_secret', column: 'data', id: number(id) }, data)
  return decryptSecret(secretKey, text(data))
}

/** Authorization headers of webhooks. */
export function decryptSecret(secretKey: string, hex: string): string {
  const key = createHash('sha256').update(secretKey).digest()
  return decrypt(key, 'aes-256-cfb', Buffer.from(hex, 'hex'))
}

/** The secret of a second factor. */
export function decryptTotp(secretKey: string, { id, secret }: SourceRow): string {
  if (secret instanceof Uint8Array)
    return decryptForgejoSecret(secretKey, { purpose: 'totp', column: 'secret', id: number(id) }, secret)
  const key = createHash('md5').update(secretKey).digest()
  return decrypt(key, 'aes-128-cfb', Buffer.from(text(secret), 'base64'))
}

/** The wrong key is noticed, because the plain text is base64. */
function decrypt(key: Buffer, method: string, bytes: Buffer): string {
  if (bytes.length <= BLOCK) throw new Error('the encrypted text is too short')
  const decipher = createDecipheriv(method, key, bytes.subarray(0, BLOCK))
  const plain = Buffer.concat([decipher.update(bytes.subarray(BLOCK)), decipher.final()]).toString('latin1')
  if (!BASE64.test(plain)) throw new Error('SECRET_KEY of app.ini is not the key of this secret')
  return Buffer.from(plain, 'base64').toString('utf8')
}
