/** Texts of account mail. */
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
  taken: {
    subject: (host) => `You have an account at ${host} already`,
    says: (_name, host) =>
      `A new account at ${host} was asked for with this address, which belongs to an account there already. If it was you, sign in or ask for a new password. If it was not, there is nothing to do.`,
  },
  verify: {
    subject: (host) => `Confirm your address at ${host}`,
    says: (name, host) =>
      `The account ${name} at ${host} wants to use this address. If the account is yours, sign in as ${name} and follow this link within a day. If it is not, ignore this letter.`,
  },
  invite: {
    subject: (host) => `You are invited to ${host}`,
    says: (name, host) => `${name} invites you to ${host}. The link works once.`,
  },
} as const satisfies Record<string, Words>

export type LetterKind = keyof typeof WORDS
