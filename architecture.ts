/**
 * The map of arrows. A slice may import the doors of the slices named after it, and nothing else.
 * A new arrow is a new word here: a change of architecture, reviewed as one.
 */
export const slices: Record<string, string[]> = {
  access: [],
  users: ['access'],
  keys: ['users'],
  orgs: ['users', 'access'],
  repositories: ['users', 'orgs', 'access'],
  contents: ['users', 'access', 'repositories'],
  instance: [],
  admin: ['users', 'orgs', 'repositories'],
}

/** Parts, and the parts each may import. `domains` means: the door of any slice. */
export const parts: Record<string, string[]> = {
  platform: [],
  git: ['platform'],
  events: ['platform'],
  domains: ['platform', 'git', 'events'],
  jobs: ['platform', 'git', 'events', 'domains'],
  http: ['platform', 'git', 'events', 'domains'],
  ssh: ['platform', 'git', 'events', 'domains'],
  cli: ['platform', 'git', 'events', 'domains', 'http', 'ssh', 'jobs'],
  testing: ['platform', 'git', 'events', 'domains', 'http', 'ssh', 'jobs', 'cli'],
}
