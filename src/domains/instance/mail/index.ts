/** Mail: sends mail by SMTP, off until a server is configured. Other slices supply the content. */
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'

export type { Letter } from './compose.ts'
export { assertServer, hostOf, isMailOn, isRefusal, senderOf, sendLetter } from './smtp.ts'

export const slice = defineSlice({ name: 'mail', settings: SETTINGS })
