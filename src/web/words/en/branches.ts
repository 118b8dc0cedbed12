/** Words of branches and tags. */
import { count } from './site.ts'

export const branchWords = {
  title: 'Branches',
  tags: 'Tags',
  branches: 'Branches',
  find: 'Find a branch',
  none: 'No branches match',
  count: (number: number) => count(number, 'branch', 'branches'),
  default: 'default',
  protected: 'protected',
  distance: (ahead: number, behind: number) =>
    `${count(behind, 'commit')} behind and ${count(ahead, 'commit')} ahead of the default branch`,
  compare: (name: string) => `Compare ${name} with the default branch`,
  delete: (name: string) => `Delete ${name}`,
  recentlyDeleted: 'Recently deleted',
  deletedBy: (login: string) => `deleted by ${login}`,
  restore: 'Restore',
  restoreNamed: (name: string) => `Restore ${name}`,
  rename: (name: string) => `Rename ${name}`,
  renameNow: 'Rename',
  newName: 'Name',
  from: 'From',
  fromHelp: 'A branch, a tag or a commit.',
  new: 'New branch',
  create: 'Create branch',
  tagCount: (number: number) => count(number, 'tag'),
  noTags: 'No tags yet',
  noTagsHelp: 'Push a tag with git, or create one with a release.',
} as const
