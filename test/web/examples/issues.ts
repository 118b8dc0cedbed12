import type { Examples } from './example.ts'

export const issues: Examples = {
  '/-/report': {
    address: ({ repository, issue }) => `/-/report?about=/${repository}/issues/${issue}`,
    as: 'bob',
  },
  '/:owner/:repo/issues': { address: ({ repository }) => `/${repository}/issues`, as: 'ann', kind: 'list' },
  '/:owner/:repo/issues/new/choose': {
    address: ({ plan }) => `/${plan.templated}/issues/new/choose`,
    as: 'ann',
  },
  '/:owner/:repo/issues/new': {
    address: ({ plan }) => `/${plan.templated}/issues/new?template=.gitea%2FISSUE_TEMPLATE%2Fbroken.yaml`,
    as: 'ann',
  },
  '/:owner/:repo/issues/:index': {
    address: ({ repository, issue }) => `/${repository}/issues/${issue}`,
    as: 'ann',
  },
  '/:owner/:repo/issues/:index/content-history': {
    address: ({ repository, issue }) => `/${repository}/issues/${issue}/content-history`,
    as: 'ann',
  },
  '/:owner/:repo/labels': { address: ({ repository }) => `/${repository}/labels`, as: 'ann' },
  '/:owner/:repo/milestones': {
    address: ({ repository }) => `/${repository}/milestones`,
    as: 'ann',
    kind: 'list',
  },
  '/:owner/:repo/milestones/new': { address: ({ repository }) => `/${repository}/milestones/new`, as: 'ann' },
  '/:owner/:repo/milestones/:id/edit': {
    address: ({ repository, milestone }) => `/${repository}/milestones/${milestone}/edit`,
    as: 'ann',
  },
  '/:owner/:repo/milestone/:id': {
    address: ({ repository, milestone }) => `/${repository}/milestone/${milestone}`,
    as: 'ann',
    kind: 'list',
  },
}
