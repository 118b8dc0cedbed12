import type { Examples } from './example.ts'

export const diffs: Examples = {
  '/:owner/:repo/commit/:sha': {
    address: ({ repository, commit }) => `/${repository}/commit/${commit}`,
    as: 'ann',
    kind: 'review',
  },
  '/:owner/:repo/compare': {
    address: ({ repository }) => `/${repository}/compare`,
    as: 'ann',
    kind: 'review',
  },
  '/:owner/:repo/compare/*basehead': {
    address: ({ repository }) => `/${repository}/compare/main...feature/slow-heat`,
    as: 'ann',
    kind: 'review',
  },
}
