/** Words around a repository: who follows it, what happened in it, where its files are. */
export const aroundWords = {
  stars: 'Stargazers',
  noStars: 'Nobody has starred this repository yet',
  watchers: 'Watchers',
  noWatchers: 'Nobody watches this repository',
  forks: 'Forks',
  noForks: 'There are no forks',
  noForksHelp: 'A fork is a copy of your own, to change as you like.',
  fork: 'Fork it',
  activity: 'Activity',
  noActivity: 'Nothing has happened here yet',
  feed: 'Feed',
  find: 'Find file',
  findIn: (ref: string) => `Find a file in ${ref}`,
  noFiles: 'No file has a name like this',
  tooMany: (shown: number) => `Only the first ${shown.toLocaleString('en')} files are shown.`,
  search: 'Search',
} as const
