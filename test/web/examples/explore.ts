import type { Examples } from './example.ts'

export const explore: Examples = {
  '/explore/repos': { address: () => '/explore/repos?sort=stars' },
  '/explore/users': { address: () => '/explore/users', as: 'ann' },
  '/explore/organizations': { address: () => '/explore/organizations' },
  '/search': { address: () => '/search?q=furnace&type=issues', as: 'ann' },
}
