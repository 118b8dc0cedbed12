/** Internal operations for web pages: sign-in and account security. */
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
