/** Texts of contributing: the banner after a push, forks, pull requests before they are opened. */
import { count } from './site.ts'

export const contributeWords = {
  pushed: 'had recent pushes',
  compare: 'Compare & pull request',
  compareBranch: (branch: string) => `Compare & pull request: ${branch}`,
  level: 'This branch is up to date with',
  ahead: (number: number) => `This branch is ${count(number, 'commit')} ahead of`,
  behind: (number: number) => `This branch is ${count(number, 'commit')} behind`,
  aheadAndBehind: (ahead: number, behind: number) =>
    `This branch is ${count(ahead, 'commit')} ahead of, ${count(behind, 'commit')} behind`,
  apart: 'This branch has diverged from',
  contribute: 'Contribute',
  sync: 'Sync fork',
  open: 'Open a pull request',
  title: 'Title',
  text: 'Description',
  reviewers: 'Reviewers',
  edits: 'Allow edits by maintainers',
  create: 'Create pull request',
  createDraft: 'Create draft',
  recipe: 'Resolve conflicts on the command line',
  recipeHelp: 'Run these commands in a clone of the repository.',
  recipeEdit: 'Edit the conflicting files, then:',
} as const
