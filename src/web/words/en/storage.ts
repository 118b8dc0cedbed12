/** Words of storage and its limits. */
export const storageWords = {
  title: 'Storage',
  titleOf: (owner: string) => `Storage of ${owner}`,
  help: 'What is stored for this account, and how much it can store. Forks count with all of their data.',
  kind: 'Kind',
  usage: 'Usage',
  limit: 'Limit',
  unlimited: 'Unlimited',
  repositories: 'Repositories',
  kinds: {
    git: 'Git repositories and wikis',
    packages: 'Packages',
    artifacts: 'Artifacts',
    logs: 'Workflow logs',
    attachments: 'Attachments',
    lfs: 'Git LFS objects',
  },
  usedOf: (used: string, limit: string) => `${used} of ${limit}`,
  limits: 'Limits',
  limitsHelp:
    'In bytes. Leave empty for the default of the site; -1 for unlimited. Lower limits delete nothing.',
  repositoriesHelp: 'A number; -1 for the default of the site.',
  save: 'Save limits',
} as const
