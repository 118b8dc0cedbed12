/** Words that every page uses. */
const plural = new Intl.PluralRules('en')
/** Created once: `toLocaleString` resolves the locale on every call. */
const digits = new Intl.NumberFormat('en')

/** «1 commit», «2 commits». */
export function count(number: number, one: string, other = `${one}s`): string {
  return `${digits.format(number)} ${plural.select(number) === 'one' ? one : other}`
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
  unread: (number: number) => `Notifications, ${number} unread`,
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
  wrongPassword: 'Wrong password',
  goOn: 'Continue',
} as const

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** «3 hours ago». */
export function ago(then: Date, now: Date): string {
  const seconds = Math.round((then.getTime() - now.getTime()) / 1000)
  const size = Math.abs(seconds)
  if (size < MINUTE) return relative.format(0, 'second')
  if (size < HOUR) return relative.format(Math.trunc(seconds / MINUTE), 'minute')
  if (size < DAY) return relative.format(Math.trunc(seconds / HOUR), 'hour')
  if (size < 30 * DAY) return relative.format(Math.trunc(seconds / DAY), 'day')
  if (size < 365 * DAY) return relative.format(Math.trunc(seconds / (30 * DAY)), 'month')
  return relative.format(Math.trunc(seconds / (365 * DAY)), 'year')
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export function bytes(size: number): string {
  let value = size
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}

export function instant(when: Date): string {
  return when.toISOString().replace('T', ' ').slice(0, 16).concat(' UTC')
}
