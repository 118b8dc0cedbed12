/**
 * The map of arrows. `src/domains` has an area for each group here, from the lowest up, with its slices. A slice may import
 * the doors of the slices named after it, and nothing else; they are of its own area or of one above it in this list.
 * A new arrow is a new word here: a change of architecture, reviewed as one.
 */
export const areas: Record<string, Record<string, string[]>> = {
  /** What the instance does for every other area. */
  instance: {
    mail: [],
    admin: ['mail'],
    audit: [],
    markup: [],
    templates: [],
    instance: ['templates'],
  },
  /** Who there is, and who may do what. */
  people: {
    access: [],
    users: ['access'],
    orgs: ['audit', 'access', 'users'],
    quotas: ['users', 'orgs'],
  },
  /** Repositories, what is in them and what opens them. */
  code: {
    repositories: ['templates', 'access', 'users', 'orgs', 'quotas'],
    scopes: ['orgs', 'repositories'],
    keys: ['access', 'users', 'orgs', 'repositories'],
    lfs: ['access', 'users', 'repositories', 'keys'],
    signing: ['repositories', 'keys'],
    protections: ['access', 'users', 'orgs', 'repositories'],
    contents: ['templates', 'access', 'users', 'repositories', 'keys', 'lfs', 'signing', 'protections'],
    statuses: ['users', 'repositories', 'contents'],
    wiki: ['access', 'repositories', 'contents'],
    attachments: ['repositories'],
    releases: ['access', 'users', 'repositories', 'contents', 'attachments'],
    webhooks: ['users', 'repositories', 'scopes'],
  },
  /** How people come in with a browser, and applications for them. */
  'sign-in': {
    sessions: ['mail', 'users', 'orgs', 'keys'],
    oauth2: ['users', 'orgs', 'keys'],
    sources: ['users', 'orgs', 'keys', 'sessions'],
    scim: ['users', 'keys', 'sources'],
  },
  /** Issues and what is told of them. */
  work: {
    labels: ['templates', 'access', 'orgs', 'repositories'],
    milestones: ['access', 'repositories'],
    'issue-templates': ['repositories'],
    projects: ['access', 'users', 'orgs', 'repositories'],
    issues: [
      'markup',
      'access',
      'users',
      'orgs',
      'repositories',
      'attachments',
      'labels',
      'milestones',
      'projects',
    ],
    notifications: ['mail', 'markup', 'access', 'users', 'orgs', 'repositories', 'issues'],
    activity: ['access', 'users', 'orgs', 'repositories', 'issues'],
    drafts: [],
    undo: [],
    views: [],
    reports: ['users', 'repositories', 'issues'],
  },
  /** Pull requests, from the first push to the merge. */
  review: {
    pulls: ['access', 'users', 'orgs', 'repositories', 'lfs', 'contents', 'issues'],
    reviews: ['access', 'users', 'orgs', 'repositories', 'protections', 'contents', 'issues', 'pulls'],
    merges: [
      'markup',
      'access',
      'users',
      'repositories',
      'signing',
      'protections',
      'contents',
      'statuses',
      'issues',
      'pulls',
      'reviews',
    ],
  },
  /** Workflows, and the machines that carry them out. */
  actions: {
    workflows: [],
    secrets: ['scopes'],
    runs: [
      'access',
      'users',
      'orgs',
      'quotas',
      'repositories',
      'keys',
      'statuses',
      'pulls',
      'workflows',
      'secrets',
    ],
    triggers: ['access', 'users', 'repositories', 'keys', 'issues', 'pulls', 'workflows', 'secrets', 'runs'],
    runners: ['scopes', 'keys', 'runs'],
    artifacts: ['repositories', 'keys', 'runs'],
  },
  /** Registries. */
  packages: {
    packages: ['access', 'users', 'orgs', 'quotas', 'repositories'],
  },
  /** Git clients and other forges. */
  remotes: {
    transport: ['access', 'repositories', 'keys', 'contents', 'wiki', 'pulls'],
    exports: ['users', 'repositories', 'attachments', 'releases', 'lfs', 'projects', 'issues', 'pulls'],
    imports: [
      'audit',
      'sources',
      'exports',
      'users',
      'orgs',
      'repositories',
      'protections',
      'releases',
      'attachments',
      'lfs',
      'issues',
      'labels',
      'milestones',
      'projects',
      'pulls',
      'reviews',
    ],
  },
}

export const slices: Record<string, string[]> = Object.assign({}, ...Object.values(areas))

/** The folder of each slice below `src/domains`. */
export const folders: Record<string, string> = Object.fromEntries(
  Object.entries(areas).flatMap(([area, names]) => Object.keys(names).map((it) => [it, `${area}/${it}`])),
)

/** Parts, and the parts each may import. `domains` means: the door of any slice; `domains/people/users`: of this one. */
export const parts: Record<string, string[]> = {
  platform: [],
  git: ['platform'],
  events: ['platform'],
  slices: ['platform', 'events'],
  domains: ['platform', 'git', 'events', 'slices'],
  jobs: ['platform', 'git', 'events', 'domains'],
  http: [
    'platform',
    'domains/instance/audit',
    'domains/people/access',
    'domains/people/users',
    'domains/code/keys',
    'domains/sign-in/sessions',
  ],
  'move-in': ['platform', 'git', 'domains'],
  web: ['platform', 'git', 'domains'],
  ssh: ['platform', 'git', 'events', 'domains'],
  cli: ['platform', 'git', 'events', 'slices', 'domains', 'http', 'web', 'ssh', 'jobs', 'move-in'],
  testing: ['platform', 'git', 'events', 'slices', 'domains', 'http', 'web', 'ssh', 'jobs', 'cli'],
}
