/** What pages ask of this slice: how people sign in, and how safe their account is. */
import type { InternalOperations } from '#platform/rest'
import { securityOperations } from './security-operations.ts'

export const sessionOperations = [...securityOperations] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof sessionOperations> {}
}
