import type { Examples } from './example.ts'

export const boards: Examples = {
  '/:owner/:repo/projects': {
    address: ({ repository }) => `/${repository}/projects`,
    as: 'ann',
    kind: 'list',
  },
  '/:owner/:repo/projects/new': { address: ({ repository }) => `/${repository}/projects/new`, as: 'ann' },
  '/:owner/:repo/projects/:id': {
    address: ({ repository, plan }) => `/${repository}/projects/${plan.board}`,
    as: 'ann',
    kind: 'board',
  },
  '/:owner/-/projects': { address: () => '/smithy/-/projects', as: 'ann', kind: 'list' },
  '/:owner/-/projects/new': { address: () => '/ann/-/projects/new', as: 'ann' },
  '/:owner/-/projects/:id': {
    address: ({ plan }) => `/ann/-/projects/${plan.ownBoard}`,
    as: 'ann',
    kind: 'board',
  },
}
