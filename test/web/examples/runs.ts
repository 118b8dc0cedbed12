import type { Examples } from './example.ts'

export const runs: Examples = {
  '/:owner/:repo/actions': {
    address: ({ runs }) => `/${runs}/actions?workflow=smelt.yml`,
    as: 'ann',
    kind: 'list',
  },
  '/:owner/:repo/actions/runs/:run': {
    address: ({ runs, run }) => `/${runs}/actions/runs/${run}`,
    as: 'ann',
  },
  '/:owner/:repo/actions/runs/:run/jobs/:job': {
    address: ({ runs, run, job }) => `/${runs}/actions/runs/${run}/jobs/${job}`,
    as: 'ann',
    kind: 'review',
  },
  '/:owner/:repo/actions/artifacts/:artifact_id': {
    address: ({ runs }) => `/${runs}/actions/artifacts/1`,
    as: 'ann',
    status: 404,
  },
}
