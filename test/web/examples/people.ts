import type { Examples } from './example.ts'

export const people: Examples = {
  '/:owner': { address: () => '/ann?tab=activity', as: 'bob' },
  '/:owner/-/repositories': { address: () => '/smithy/-/repositories' },
  '/org/:org/members': { address: () => '/org/smithy/members', as: 'ann' },
  '/org/:org/teams': { address: () => '/org/smithy/teams', as: 'ann' },
  '/org/:org/teams/new': { address: () => '/org/smithy/teams/new', as: 'ann' },
  '/org/:org/teams/:team': { address: () => '/org/smithy/teams/strikers', as: 'ann' },
  '/org/:org/teams/:team/edit': { address: () => '/org/smithy/teams/strikers/edit', as: 'ann' },
  '/org/invite/:token': { address: () => '/org/invite/nonsense' },
}
