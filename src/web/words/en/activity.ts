/** Texts of stargazers, watchers, forks, activity and the file finder. */
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
  find: 'Find file',
  findIn: (ref: string) => `Find a file in ${ref}`,
  noFiles: 'No files match',
  tooMany: (shown: number) => `Only the first ${shown.toLocaleString('en')} files are shown.`,
  search: 'Search',
} as const
