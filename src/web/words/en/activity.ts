/** Texts of stargazers, watchers, forks, activity and the file finder. */
import { formats } from './site.ts'

export const activityWords = {
  stars: 'Stargazers',
  noStars: 'No stargazers yet',
  watchers: 'Watchers',
  noWatchers: 'No watchers yet',
  forks: 'Forks',
  noForks: 'No forks yet',
  noForksHelp: 'A fork is your own copy of a repository.',
  fork: 'Create fork',
  activity: 'Activity',
  noActivity: 'No activity yet',
  feed: 'Feed',
  searchCode: 'Search code',
  searchIn: (branch: string) => `Find text in the files of ${branch}`,
  searchHelp: 'Enter a text to find it in the files of the default branch.',
  searchNothing: 'No lines match.',
  searchMore: 'There are more matches. Enter a longer text.',
  searchEverywhere: 'Search all repositories, issues and users',
  find: 'Find file',
  findIn: (ref: string) => `Find a file in ${ref}`,
  noFiles: 'No files match',
  tooMany: (shown: number) => `Only the first ${formats.digits(shown)} files are shown.`,
  search: 'Search',
} as const
