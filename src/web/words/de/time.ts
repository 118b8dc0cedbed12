/** Deutsch. */
import { formats } from './site.ts'

export { duration, readDuration } from '../en/time.ts'
export const dayOf = formats.day
