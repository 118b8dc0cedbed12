/** Words of the page on which a user authorizes an application, and of the list of authorized applications. */
import { scopeWords } from './own-settings.ts'

export const authorizeWords = {
  title: (application: string) => `Authorize ${application}`,
  wants: (application: string) => `${application} wants to access your account`,
  by: 'Registered by',
  ofSite: (site: string) => `This application comes with ${site}.`,
  onMachine: 'Programs on your computer share it: continue only if you have just started it yourself.',
  may: 'It will be able to:',
  returnTo: 'Afterwards your browser goes to',
  allow: (application: string) => `Authorize ${application}`,
  deny: 'Cancel',
  notYou: 'Not you?',
  signOut: 'Sign out',
  otherAccount: 'You are signed in with another account now. Check the account and authorize again.',
  needsPassword: 'The application requires your password.',
  proceed: (application: string) => `Continue to ${application}`,
  authorized: (application: string) => `You authorized ${application}.`,
  refusedTitle: 'Authorization failed',
  refused: {
    client: 'No application has this client ID. Check the settings of the application that sent you here.',
    redirect_uri:
      'The redirect URI is not registered for this application, so you were not sent there. Ask its developer to register it.',
    request: 'The authorization request is invalid.',
  },
} as const

const identityWords: Readonly<Record<string, string>> = {
  openid: 'Know which account you have here',
  profile: 'Read your name, username and picture',
  email: 'Read your email address',
  groups: 'Read the names of your organizations and teams',
}

/** What a scope allows, for a person. */
export function scopeSentence(scope: string): string | undefined {
  if (scope === 'all') return 'Do everything that you can do: full access to your account'
  if (scope === 'public-only') return 'Use public repositories and organizations only'
  const [level = '', category = ''] = scope.split(':')
  const named = (scopeWords as Readonly<Record<string, string>>)[category]
  if (named === undefined) return identityWords[scope]
  return `${level === 'write' ? 'Read and change' : 'Read'}: ${named}`
}
