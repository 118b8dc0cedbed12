/** Texts about the limits of access tokens. */
export const tokenWords = {
  limits: 'Limit this token',
  limitsHelp:
    'A limited token reaches the repositories that it names and never more than you do. It cannot change settings, keys or members, nor create tokens.',
  repositories: 'Repositories',
  repositoriesHelp: 'One owner/name per line. Empty for all.',
  owners: 'Users and organizations',
  ownersHelp: 'One name per line: all of their repositories, also future ones.',
  units: 'Parts of a repository',
  unitLevels: { '': 'No access', read: 'Read', write: 'Read and write' },
  onlyUnits: 'Limit to these parts of a repository',
  refs: 'Branches and tags that it may update',
  refsHelp: 'One pattern per line, such as bot/* or refs/tags/v*. Empty for all.',
  addresses: 'IP addresses that it may be used from',
  addressesHelp: 'One address or network per line, such as 192.0.2.0/24. Empty for all.',
  ends: 'Last day',
  endsHelp: 'The token ends at the end of this day, in UTC.',
  missing: (name: string) => `${name} does not exist.`,
  badDay: 'Enter the day as YYYY-MM-DD.',
  ending: 'ends',
  from: (address: string) => `from ${address}`,
  only: {
    repositories: (count: number) => (count === 1 ? '1 repository' : `${count} repositories`),
    owners: (count: number) => (count === 1 ? '1 owner' : `${count} owners`),
  },
}
