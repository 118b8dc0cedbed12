import type { Examples } from './example.ts'

export const packages: Examples = {
  '/:owner/-/packages': { address: () => '/ann/-/packages', as: 'ann', kind: 'list' },
  '/:owner/:repo/packages': {
    address: ({ repository }) => `/${repository}/packages`,
    as: 'ann',
    kind: 'list',
  },
  '/:owner/-/packages/:type/:name/:version': {
    address: () => '/ann/-/packages/generic/tongs/1.1.0',
    as: 'ann',
  },
}
