/**
 * The map of arrows. A slice may import the doors of the slices named after it, and nothing else.
 * A new arrow is a new word here: a change of architecture, reviewed as one.
 */
export const slices: Record<string, string[]> = {
  access: [],
  templates: [],
  users: ['access'],
  keys: ['users', 'repositories'],
  orgs: ['users', 'access'],
  repositories: ['users', 'orgs', 'access', 'templates'],
  attachments: [],
  labels: ['orgs', 'access', 'repositories', 'templates'],
  projects: ['users', 'orgs', 'access', 'repositories'],
  issues: ['users', 'orgs', 'access', 'repositories', 'labels', 'attachments', 'markup', 'projects'],
  mail: [],
  notifications: ['users', 'orgs', 'access', 'repositories', 'issues', 'markup', 'mail'],
  protections: ['users', 'orgs', 'access', 'repositories'],
  signing: ['keys', 'repositories'],
  contents: ['users', 'access', 'repositories', 'protections', 'keys', 'templates', 'signing'],
  statuses: ['users', 'repositories', 'contents'],
  pulls: ['users', 'orgs', 'access', 'repositories', 'issues', 'contents'],
  reviews: ['users', 'orgs', 'access', 'repositories', 'issues', 'pulls', 'protections'],
  merges: [
    'users',
    'access',
    'repositories',
    'issues',
    'pulls',
    'reviews',
    'protections',
    'contents',
    'statuses',
    'markup',
  ],
  releases: ['users', 'access', 'repositories', 'contents', 'attachments'],
  wiki: ['repositories', 'contents'],
  transport: ['keys', 'repositories', 'contents', 'pulls', 'wiki'],
  imports: ['users', 'orgs', 'repositories', 'labels', 'issues', 'releases', 'attachments'],
  activity: ['users', 'orgs', 'access', 'repositories', 'issues'],
  webhooks: ['users', 'orgs', 'repositories'],
  instance: ['templates'],
  markup: [],
  admin: [],
}

/** Parts, and the parts each may import. `domains` means: the door of any slice; `domains/users`: of this one. */
export const parts: Record<string, string[]> = {
  platform: [],
  git: ['platform'],
  events: ['platform'],
  slices: ['platform', 'events'],
  domains: ['platform', 'git', 'events', 'slices'],
  jobs: ['platform', 'git', 'events', 'domains'],
  http: ['platform', 'domains/users', 'domains/keys'],
  ssh: ['platform', 'git', 'events', 'domains'],
  cli: ['platform', 'git', 'events', 'slices', 'domains', 'http', 'ssh', 'jobs'],
  testing: ['platform', 'git', 'events', 'slices', 'domains', 'http', 'ssh', 'jobs', 'cli'],
}
