import type { Examples } from './example.ts'

export const code: Examples = {
  '/:owner/:repo/src/:kind/*place': {
    address: ({ repository, code }) => `/${repository}/src/branch/main/${code.longFile}`,
    as: 'ann',
  },
  '/:owner/:repo/tree/*place': { address: ({ repository }) => `/${repository}/tree/main/docs` },
  '/:owner/:repo/blob/*place': { address: ({ repository }) => `/${repository}/blob/main/docs/guide.md` },
  '/:owner/:repo/blame/:kind/*place': {
    address: ({ repository }) => `/${repository}/blame/branch/main/src/main.ts`,
  },
  '/:owner/:repo/commits/:kind/*place': { address: ({ repository }) => `/${repository}/commits/branch/main` },
  '/:owner/:repo/branches': { address: ({ repository }) => `/${repository}/branches`, as: 'ann' },
  '/:owner/:repo/tags': { address: ({ repository }) => `/${repository}/tags`, as: 'ann' },
  '/:owner/:repo/search': { address: ({ repository }) => `/${repository}/search?q=the` },
  '/:owner/:repo/find/:kind/*place': { address: ({ repository }) => `/${repository}/find/branch/main` },
  '/:owner/:repo/releases': { address: ({ repository }) => `/${repository}/releases`, as: 'ann' },
  '/:owner/:repo/releases/tag/*tag': { address: ({ repository }) => `/${repository}/releases/tag/v1.0` },
  '/:owner/:repo/releases/latest': { address: ({ repository }) => `/${repository}/releases/latest` },
  '/:owner/:repo/releases/new': {
    address: ({ repository }) => `/${repository}/releases/new`,
    as: 'ann',
    kind: 'list',
  },
  '/:owner/:repo/releases/edit/*tag': {
    address: ({ repository }) => `/${repository}/releases/edit/v1.0`,
    as: 'ann',
    kind: 'list',
  },
  '/:owner/:repo/wiki': { address: ({ repository }) => `/${repository}/wiki`, as: 'ann' },
  '/:owner/:repo/wiki/_pages': { address: ({ repository }) => `/${repository}/wiki/_pages` },
  '/:owner/:repo/wiki/_new': {
    address: ({ repository }) => `/${repository}/wiki/_new`,
    as: 'ann',
    kind: 'list',
  },
  '/:owner/:repo/wiki/commit/:sha': {
    address: ({ repository, code }) => `/${repository}/wiki/commit/${code.wikiCommit}`,
    kind: 'review',
  },
  '/:owner/:repo/wiki/*name': {
    address: ({ repository }) => `/${repository}/wiki/Fuel?action=_edit`,
    as: 'ann',
    kind: 'list',
  },
  '/:owner/:repo/_edit/*place': {
    address: ({ repository }) => `/${repository}/_edit/main/src/main.ts`,
    as: 'ann',
    kind: 'editor',
  },
  '/:owner/:repo/_fork/*place': {
    address: () => '/ann/forge-ci/_fork/main/README.md',
    as: 'bob',
    kind: 'editor',
  },
  '/:owner/:repo/_new/*place': {
    address: ({ repository }) => `/${repository}/_new/main/docs`,
    as: 'ann',
    kind: 'editor',
  },
  '/:owner/:repo/_upload/*place': {
    address: ({ repository }) => `/${repository}/_upload/main/docs`,
    as: 'ann',
  },
  '/:owner/:repo/_delete/*place': {
    address: ({ repository }) => `/${repository}/_delete/main/LICENSE`,
    as: 'ann',
  },
  '/:owner/:repo/_cherrypick/:sha': {
    address: ({ repository, commit }) => `/${repository}/_cherrypick/${commit}?revert=true`,
    as: 'ann',
  },
  '/:owner/:repo/stars': { address: ({ repository }) => `/${repository}/stars` },
  '/:owner/:repo/watchers': { address: ({ repository }) => `/${repository}/watchers` },
  '/:owner/:repo/forks': { address: ({ repository }) => `/${repository}/forks` },
  '/:owner/:repo/activity': { address: ({ repository }) => `/${repository}/activity` },
}
