/** Words that every page uses. */
const plural = new Intl.PluralRules('en')
/** Made once: `toLocaleString` looks its language up each time. */
const digits = new Intl.NumberFormat('en')

/** «1 commit», «2 commits». */
export function count(number: number, one: string, other = `${one}s`): string {
  return `${digits.format(number)} ${plural.select(number) === 'one' ? one : other}`
}

export const site = {
  name: 'Bloomery',
  skip: 'Skip to content',
  search: 'Search',
  explore: 'Explore',
  issues: 'Issues',
  pulls: 'Pull requests',
  signIn: 'Sign in',
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
  themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
  previous: 'Previous',
  next: 'Next',
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  save: 'Save',
  cancel: 'Cancel',
  delete: 'Delete',
  edit: 'Edit',
  copy: 'Copy',
  required: 'required',
  interface: 'REST interface',
  keys: 'Keyboard shortcuts',
  actions: 'Actions as curl',
} as const

export const curl = {
  title: 'The same by REST',
  help: 'Nothing was changed. These commands do what the form does; put one of your access tokens into TOKEN, and what is secret into the variables named for it.',
  commands: 'Commands',
  copy: 'Copy',
  back: 'Back',
  note: 'Every button on this page shows the call of the REST interface that it stands for, and does nothing.',
  leave: 'Let the buttons work again',
} as const

export const problems = {
  titles: {
    malformed: 'That cannot be read',
    unauthenticated: 'Sign in to go on',
    forbidden: 'You may not do that',
    moved: 'It is elsewhere',
    not_found: 'There is nothing here',
    method_not_allowed: 'That cannot be done here',
    conflict: 'Somebody else was quicker',
    empty_repository: 'This repository is empty',
    precondition: 'That is not possible now',
    too_large: 'That is too large',
    invalid: 'That is not possible',
    locked: 'This is archived',
    too_many: 'Too many requests',
    unavailable: 'The server is busy',
  },
  notFound: 'The page does not exist, or you may not see it.',
  request: 'Request',
  goHome: 'Go to the start page',
  kept: 'What you wrote is still here. Sign in in another tab, then send it again.',
  signInElsewhere: 'Sign in in a new tab',
  sendAgain: 'Send again',
  confirmTitle: 'Confirm that it is you',
  confirm: 'This needs your password again.',
  password: 'Password',
  wrongPassword: 'Wrong password',
  goOn: 'Go on',
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
