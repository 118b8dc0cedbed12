import type { Examples } from './example.ts'

export const create: Examples = {
  '/repo/create': { address: () => '/repo/create', as: 'ann' },
  '/repo/migrate': { address: () => '/repo/migrate', as: 'ann' },
  '/repo/migrate/:id': { address: ({ importId }) => `/repo/migrate/${importId}`, as: 'ann' },
  '/org/create': { address: () => '/org/create', as: 'ann' },
  '/:owner/:repo/fork': { address: ({ repository }) => `/${repository}/fork`, as: 'bob' },
}
