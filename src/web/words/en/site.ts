/** Words that every page uses. */
import { formatsOf } from '../formats.ts'

export const formats = formatsOf('en')
export const { ago, bytes, instant } = formats

/** «1 commit», «2 commits». */
export function count(number: number, one: string, other = `${one}s`): string {
  return formats.plural(number, { one, other })
}

export const site = {
  skip: 'Skip to content',
  search: 'Search',
  explore: 'Explore',
  issues: 'Issues',
  pulls: 'Pull requests',
  signIn: 'Sign in',
  signUp: 'Sign up',
  signOut: 'Sign out',
  notifications: 'Notifications',
  unread: (number: number | string) => `Notifications, ${number} unread`,
  create: 'Create',
  newRepository: 'New repository',
  migrate: 'Import repository',
  newOrganization: 'New organization',
  you: (login: string) => `Signed in as ${login}`,
  profile: 'Your profile',
  settings: 'Settings',
  administration: 'Administration',
  theme: 'Theme',
  themes: { auto: 'System', light: 'Light', dark: 'Dark' },
  previous: 'Previous',
  next: 'Next',
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  save: 'Save',
  cancel: 'Cancel',
  delete: 'Delete',
  edit: 'Edit',
  copy: 'Copy',
  required: 'required',
  language: 'Language',
  change: 'Change',
  interface: 'REST API',
  keys: 'Keyboard shortcuts',
  actions: 'Actions as curl',
} as const

export const curl = {
  title: 'REST API commands',
  help: 'Nothing was changed. These commands do the same as the form. Set TOKEN to one of your access tokens, and the other variables to their secrets.',
  commands: 'Commands',
  copy: 'Copy',
  back: 'Back',
  note: 'Every button on this page shows its REST API call and changes nothing.',
  leave: 'Back to normal buttons',
} as const

export const problems = {
  titles: {
    malformed: 'Bad request',
    unauthenticated: 'Sign in to continue',
    forbidden: 'Access denied',
    moved: 'Page moved',
    not_found: 'Page not found',
    method_not_allowed: 'Not allowed here',
    conflict: 'Someone else changed this first',
    empty_repository: 'This repository is empty',
    precondition: 'Not possible right now',
    too_large: 'Too large',
    invalid: 'Invalid input',
    locked: 'This repository is archived',
    too_many: 'Too many requests',
    unavailable: 'The forge is temporarily unavailable',
    lost: 'Stored data is missing',
  },
  notFound: 'This page does not exist, or you do not have access to it.',
  tryAgain: 'Nothing that was saved is lost. Try again in a moment.',
  request: 'Request',
  goHome: 'Go to dashboard',
  kept: 'Your text is still here. Sign in in another tab, then submit it again.',
  signInElsewhere: 'Sign in in a new tab',
  sendAgain: 'Submit again',
  confirmTitle: 'Confirm access',
  confirm: 'Enter your password to continue.',
  password: 'Password',
  confirmByPasskey: 'Confirm with a passkey instead',
  confirmBySource: 'Confirm with your identity provider instead',
  wrongPassword: 'Wrong password',
  goOn: 'Continue',
} as const
