/** Texts of the dashboard, issues across repositories, the inbox and search. */
import { count } from './site.ts'

export const dashboardWords = {
  home: 'Home',
  failing: 'Failing runs',
  waiting: 'Waiting for others',
  recent: 'Recent repositories',
  recentNone: 'You have no repositories yet.',
  newRepository: 'New',
  feed: 'Recent activity',
  feedNone: 'No activity yet. Watch or star repositories to see their activity here.',
  all: 'Show all',
  issues: 'Issues',
  pulls: 'Pull requests',
  milestones: 'Milestones',
  kinds: {
    assigned: 'Assigned to you',
    created: 'Created by you',
    mentioned: 'Mentioning you',
    review_requested: 'Review requested',
    reviewed: 'Reviewed or commented by you',
    all: 'Everything you can see',
  },
  kind: 'Show',
  milestonesNone: 'None of your repositories has a milestone.',
  milestonesHelp: 'Milestones of repositories that you own or contribute to, newest first.',
  run: (name: string, number: number) => `${name} #${number}`,
} as const

export const viewWords = {
  title: 'Saved views',
  name: 'View name',
  save: 'Save',
  saveThis: 'Save this view',
  manage: 'All views',
  drop: (name: string) => `Delete ${name}`,
  none: 'You have no saved views.',
  noneHelp: 'Filter a list of issues or pull requests, then save it as a view.',
} as const

export const inboxWords = {
  title: 'Notifications',
  unread: 'Unread',
  read: 'Read',
  pinned: 'Saved',
  empty: 'You’re all caught up.',
  emptyHelp: 'Activity you watch, take part in or are mentioned in appears here.',
  allRead: 'Mark all as read',
  repoRead: (repo: string) => `Mark all of ${repo} as read`,
  done: 'Mark as read',
  undone: 'Mark as unread',
  save: 'Save',
  types: { Issue: 'Issue', Pull: 'Pull request', Commit: 'Commit', Repository: 'Repository' },
  reasons: {
    mentioned: 'You were mentioned',
    assigned: 'Assigned to you',
    review_requested: 'Review requested',
    offered: 'Transfer offered to you',
    author: 'You opened it',
    commented: 'You participated',
    subscribed: 'You subscribed',
    watching: 'You watch the repository',
  },
  news: (number: number) => count(number, 'thread'),
} as const

export const findWords = {
  title: 'Find',
  field: 'Find repositories, people and issues',
  nothing: 'No results.',
  repositories: 'Repository',
  people: 'Person',
  issues: 'Issue',
  pulls: 'Pull request',
} as const
