/** Collaborators in the formats of sources, and the level that each would have here. Pure, except for the listing. */
import { type Static, Type } from 'typebox'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { flag, text } from '../sources/fields.ts'
import { listPages } from '../sources/list-pages.ts'
import type { SourceApi } from '../sources/source-api.ts'

const COLLABORATORS_MAX = 1_000
const words = { many: 'collaborators', one: 'collaborator', mayBeMissing: true } as const

const GitHubCollaborator = Type.Object({
  id: Type.Integer(),
  login: Type.String({ maxLength: 255 }),
  permissions: Type.Optional(Type.Object({ admin: flag, maintain: flag, push: flag, pull: flag })),
})
const GitLabMember = Type.Object({
  id: Type.Integer(),
  username: Type.String({ maxLength: 255 }),
  state: text,
  access_level: Type.Integer(),
  expires_at: text,
})

export interface SourceCollaborator {
  /** At the source. */
  readonly id: number
  readonly login: string
  /** Null: what they may do there is nothing that a collaborator may do here. */
  readonly level: 'read' | 'write' | 'admin' | null
}

/** Of the repository itself: neither of its organization nor of groups. None if the token may not list them. */
export async function listCollaborators(ctx: Context, api: SourceApi): Promise<SourceCollaborator[]> {
  const found: SourceCollaborator[] = []
  for await (const page of api.name === 'gitlab' ? membersOf(ctx, api) : collaboratorsOf(ctx, api)) {
    found.push(...page)
    if (found.length > COLLABORATORS_MAX) throw invalid('Migration failed: too many collaborators')
  }
  return found
}

async function* collaboratorsOf(ctx: Context, api: SourceApi): AsyncGenerator<SourceCollaborator[]> {
  const listed = { ...words, path: '/collaborators?affiliation=direct&', item: GitHubCollaborator }
  for await (const { items } of listPages(ctx, api, listed)) yield items.map(readGitHub)
}

async function* membersOf(ctx: Context, api: SourceApi): AsyncGenerator<SourceCollaborator[]> {
  const listed = { ...words, path: '/members?', item: GitLabMember }
  for await (const { items } of listPages(ctx, api, listed)) yield items.map(readGitLab)
}

function readGitHub({ id, login, permissions = {} }: Static<typeof GitHubCollaborator>): SourceCollaborator {
  const { admin, maintain, push, pull } = permissions
  return { id, login, level: admin ? 'admin' : push || maintain ? 'write' : pull ? 'read' : null }
}

/** Levels of GitLab. Guests of a private project do not see its code, and here nobody's collaboration ends by itself. */
const MAINTAINER = 40
const DEVELOPER = 30
const REPORTER = 20

function readGitLab(member: Static<typeof GitLabMember>): SourceCollaborator {
  const { id, username: login, access_level: there } = member
  if (member.state !== 'active' || member.expires_at) return { id, login, level: null }
  const level =
    there >= MAINTAINER ? 'admin' : there >= DEVELOPER ? 'write' : there >= REPORTER ? 'read' : null
  return { id, login, level }
}
