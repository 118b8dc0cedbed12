/** What is written in mail about accounts. */
interface Words {
  readonly subject: (host: string) => string
  readonly says: (name: string, host: string) => string
}

export const WORDS = {
  recover: {
    subject: (host) => `Set a new password at ${host}`,
    says: (name, host) =>
      `Somebody asked for a new password for ${name} at ${host}. If it was you, follow this link within an hour. If it was not, nothing has changed and there is nothing to do.`,
  },
  activate: {
    subject: (host) => `Confirm your address at ${host}`,
    says: (name, host) =>
      `Welcome to ${host}, ${name}. Follow this link within a day to confirm that this address is yours.`,
  },
  invite: {
    subject: (host) => `You are invited to ${host}`,
    says: (name, host) => `${name} invites you to ${host}. The link works once.`,
  },
} as const satisfies Record<string, Words>
