/** Content of a file, as far as it can be shown. */
import { pictureTypeOf } from '#platform/rest'
import type { ContentsResponse } from '../../../gen/contract.ts'

const SNIFFED_BYTES = 8_192

export type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'picture' | 'binary' | 'too-large' }

export function contentOf({ content, encoding }: ContentsResponse): FileContent {
  if (content === null || encoding !== 'base64') return { kind: 'too-large' }
  const bytes = Buffer.from(content, 'base64')
  const start = bytes.subarray(0, SNIFFED_BYTES)
  if (pictureTypeOf(start) !== undefined) return { kind: 'picture' }
  return start.includes(0) ? { kind: 'binary' } : { kind: 'text', text: bytes.toString('utf8') }
}

export function textOf(file: ContentsResponse): string | undefined {
  const content = contentOf(file)
  return content.kind === 'text' ? content.text : undefined
}
