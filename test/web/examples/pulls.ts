import type { Examples } from './example.ts'

export const pulls: Examples = {
  '/:owner/:repo/pulls': {
    address: ({ repository }) => `/${repository}/pulls`,
    as: 'ann',
    kind: 'list',
  },
  '/:owner/:repo/pulls/:index': {
    address: ({ repository, pull }) => `/${repository}/pulls/${pull}`,
    as: 'ann',
    kind: 'review',
  },
  '/:owner/:repo/pulls/:index/files': {
    address: ({ repository, pull }) => `/${repository}/pulls/${pull}/files?comment=src/bellows.ts:R1`,
    as: 'ann',
    kind: 'review',
  },
  '/:owner/:repo/pulls/:index/commits': {
    address: ({ repository, pull }) => `/${repository}/pulls/${pull}/commits`,
  },
  '/:owner/:repo/pulls/:index/commits/:sha': {
    address: ({ repository, pull, pullCommit }) => `/${repository}/pulls/${pull}/commits/${pullCommit}`,
    kind: 'review',
  },
  '/:owner/:repo/pulls/:index/conflicts': {
    address: ({ repository, conflict }) => `/${repository}/pulls/${conflict}/conflicts`,
    as: 'ann',
    kind: 'editor',
  },
  '/:owner/:repo/pulls/:index/versions/:span': {
    address: ({ repository, pull }) => `/${repository}/pulls/${pull}/versions/1..2`,
    kind: 'review',
  },
}
