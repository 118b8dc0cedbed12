/** Texts of diffs. */
import { count } from './site.ts'

export const diffWords = {
  files: 'Files',
  file: 'file',
  filter: 'Filter files',
  viewed: 'Viewed',
  split: 'Split',
  hideSpaces: 'Ignore whitespace',
  nothing: 'No changes',
  truncated: 'Too many files changed to list them all. Clone the repository to see the rest.',
  broken: 'The rest could not be loaded. Reload the page.',
  cut: 'The rest of this file is too large to show. Download the diff to read it.',
  binary: 'Binary file.',
  onlySpaces: 'Only whitespace changes.',
  unchanged: 'File renamed without changes.',
  empty: 'No lines changed.',
  folded: 'generated',
  moved: 'Moved within the file',
  before: 'Before',
  after: 'After',
  picture: (width: number, height: number, size: string) => `${width} × ${height}, ${size}`,
  pictureOf: (side: string, path: string) => `${side}: ${path}`,
  more: 'Show hidden lines',
  less: 'Show only changed lines',
  statuses: { added: 'added', deleted: 'deleted', renamed: 'moved', copied: 'copied' },
  previous: 'Previous files',
  next: 'More files',
  pages: (page: number, pages: number) => `Part ${page} of ${pages}`,
} as const

export const commitWords = {
  verified: 'Verified',
  unverified: 'Unverified',
  commitNamed: (id: string) => `Commit ${id}`,
  browse: 'Browse files',
  more: 'More',
  parents: 'Parents',
  noParents: 'First commit',
  committed: 'committed',
  authored: 'authored',
  mergedWith: 'Merged with',
  diff: 'Diff',
  patch: 'Patch',
} as const

export const compareWords = {
  title: 'Compare',
  help: 'Choose two branches, tags or commits. A branch of a fork is written as owner:branch.',
  base: 'Base',
  head: 'Compare',
  compare: 'Compare',
  same: 'Both sides are the same. Choose another branch to compare.',
  commits: 'Commits',
  commit: 'commit',
  more: (shown: number, total: number) => `The latest ${shown} of ${total} commits.`,
  open: 'Open a pull request',
  there: 'A pull request for these branches already exists:',
  signIn: 'Sign in to open a pull request.',
} as const

export const checkWords = {
  success: 'Success',
  failure: 'Failure',
  error: 'Error',
  warning: 'Warning',
  pending: 'Pending',
  skipped: 'Skipped',
  checks: (number: number) => count(number, 'check'),
  all: (state: string) => `Checks: ${state}`,
  details: 'Details',
} as const
