/** Texts about service accounts. */
export const serviceAccountWords = {
  title: 'Service accounts',
  help: 'Accounts for programs of this organization. They have access tokens and keys, and no password. Add them to teams to give them access.',
  none: 'No service accounts.',
  create: 'Create service account',
  username: 'Username',
  purpose: 'What it is for',
  tokensHelp:
    'These tokens reach the repositories of this organization that the teams of the account may access.',
}
