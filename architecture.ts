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
  instance: [],
  admin: ['users', 'orgs', 'repositories'],
}

/** Parts, and the parts each may import. `domains` means: the door of any slice. */
export const parts: Record<string, string[]> = {
  platform: [],
  events: ['platform'],
  domains: ['platform', 'events'],
  jobs: ['platform', 'events', 'domains'],
  http: ['platform', 'events', 'domains'],
  cli: ['platform', 'events', 'domains', 'http', 'jobs'],
  testing: ['platform', 'events', 'domains', 'http', 'jobs', 'cli'],
}
