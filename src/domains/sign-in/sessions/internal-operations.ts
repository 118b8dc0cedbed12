/** What pages ask of this slice: how people sign in, and how safe their account is. */
import type { InternalOperations } from '#platform/rest'
import { invitationOperations } from './invitations/invitation-operations.ts'
import { securityOperations } from './security-operations.ts'
import { signInOperations } from './sign-in-operations.ts'

export const sessionOperations = [
  ...signInOperations,
  ...securityOperations,
  ...invitationOperations,
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof sessionOperations> {}
}
