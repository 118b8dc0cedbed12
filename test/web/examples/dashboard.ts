import type { Examples } from './example.ts'

export const dashboard: Examples = {
  '/': { address: () => '/', as: 'ann' },
  '/issues': { address: () => '/issues', as: 'ann', kind: 'list' },
  '/pulls': { address: () => '/pulls?type=all', as: 'ann', kind: 'list' },
  '/milestones': { address: () => '/milestones', as: 'ann' },
  '/notifications': { address: () => '/notifications', as: 'ann', kind: 'list' },
  '/-/find': { address: () => '/-/find?q=furnace', as: 'ann' },
  '/-/suggest': { address: () => '/-/suggest?kind=emoji&q=ta', as: 'ann' },
  '/-/undo': { address: () => '/-/undo', as: 'ann' },
  '/-/views': { address: () => '/-/views', as: 'ann' },
  '/-/markup': { address: () => '/-/markup', as: 'ann' },
}
