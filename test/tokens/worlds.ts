/** Two strangers' worlds with a marker in every text, and the parameters that address each part of them. */
import assert from 'node:assert/strict'
import type { Forge, Reply } from '#testing'

/** A repository with its ids, all of whose texts contain a marker. */
export interface Planted {
  readonly owner: string
  readonly repo: string
  readonly marker: string
  readonly repositoryId: number
  readonly ownerId: number
  /** Values of the parameter after a path segment, such as the id after `labels`. */
  readonly after: Readonly<Record<string, string>>
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

export async function plant(
  forge: Forge,
  as: string,
  owner: string,
  repo: string,
  isPrivate: boolean,
): Promise<Planted> {
  const marker = `mark-${owner}-${repo}`
  const make = async (
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    body: unknown,
  ): Promise<Reply['body']> => {
    const reply = await forge.call(as, method, path, body)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const root = `/repos/${owner}/${repo}`
  const home = owner === as ? '/user/repos' : `/orgs/${owner}/repos`
  const made = await make('POST', home, {
    name: repo,
    private: isPrivate,
    auto_init: true,
    default_branch: 'main',
    description: marker,
  })
  const file = await make('POST', `${root}/contents/${marker}.txt`, {
    content: base64(marker),
    message: marker,
  })
  await make('POST', `${root}/branches`, { new_branch_name: marker, old_branch_name: 'main' })
  await make('POST', `${root}/contents/topic.txt`, {
    content: base64(marker),
    message: marker,
    branch: marker,
  })
  const label = await make('POST', `${root}/labels`, { name: marker, color: '#ff0000' })
  const milestone = await make('POST', `${root}/milestones`, { title: marker })
  const text = { title: marker, body: marker }
  const issue = await make('POST', `${root}/issues`, { ...text, labels: [label.id], milestone: milestone.id })
  const comment = await make('POST', `${root}/issues/${issue.number}/comments`, { body: marker })
  const pull = await make('POST', `${root}/pulls`, { ...text, head: marker, base: 'main' })
  const review = await make('POST', `${root}/pulls/${pull.number}/reviews`, {
    body: marker,
    event: 'COMMENT',
  })
  const release = await make('POST', `${root}/releases`, { tag_name: marker, name: marker, body: marker })
  await make('POST', `${root}/wiki/new`, { title: marker, content_base64: base64(marker), message: marker })
  const hook = await make('POST', `${root}/hooks`, {
    type: 'gitea',
    config: { url: `http://127.0.0.1/${marker}`, content_type: 'json' },
  })
  await make('PUT', `${root}/topics`, { topics: [marker.slice(0, 30)] })
  await make('PUT', `${root}/actions/secrets/A_SECRET`, { data: marker })
  await make('POST', `${root}/actions/variables/A_VARIABLE`, { value: marker })
  await make('POST', `${root}/statuses/${file.commit.sha}`, {
    state: 'success',
    context: marker,
    description: marker,
  })
  const protection = await make('POST', `${root}/branch_protections`, { rule_name: `${marker}/*` })
  const tag = await make('POST', `${root}/tag_protections`, {
    name_pattern: `${marker}-*`,
    whitelist_usernames: [as],
  })
  const project = await make('POST', `${root}/projects`, { title: marker, description: marker })
  const upload = await forge.call(
    as,
    'PUT',
    `//api/packages/${owner}/generic/${marker}/1.0/${marker}.txt`,
    'text',
  )
  assert.equal(upload.status, 201)
  await make('POST', `/packages/${owner}/generic/${marker}/-/link/${repo}`, undefined)
  const after = {
    labels: String(label.id),
    milestones: String(milestone.id),
    issues: String(issue.number),
    comments: String(comment.id),
    pulls: String(pull.number),
    reviews: String(review.id),
    releases: String(release.id),
    tags: marker,
    hooks: String(hook.id),
    branches: marker,
    branch_protections: protection.rule_name,
    tag_protections: String(tag.id),
    projects: String(project.id),
    commits: file.commit.sha,
    statuses: file.commit.sha,
    blobs: file.content.sha,
    trees: 'main',
    refs: `heads/${marker}`,
    contents: `${marker}.txt`,
    raw: `${marker}.txt`,
    media: `${marker}.txt`,
    compare: `main...${marker}`,
    archive: 'main.zip',
    secrets: 'A_SECRET',
    variables: 'A_VARIABLE',
    page: marker,
    revisions: marker,
    repositories: String(made.id),
  }
  return { owner, repo, marker, repositoryId: made.id, ownerId: made.owner.id, after }
}

/** The path of a route with the parameters of a target. */
export function addressOf(path: string, { owner, repo, marker, after }: Planted): string {
  const words = path.split('/')
  return words
    .map((word, at) => {
      const before = words[at - 1] ?? ''
      return word.replaceAll(/[:*](\w+)/g, (_, name: string) => {
        const value = VALUES[name] ?? after[before]
        if (['owner', 'username', 'org', 'user', 'target', 'template_owner'].includes(name)) return owner
        if (['repo', 'template_repo', 'repo_name'].includes(name)) return repo
        if (name === 'type') return 'generic'
        if (name === 'name' && path.includes('generic')) return marker
        return value ?? '1'
      })
    })
    .join('/')
}

const VALUES: Readonly<Record<string, string>> = {
  version: '1.0',
  diffType: 'diff',
  task: 'sweep_access_tokens',
}
