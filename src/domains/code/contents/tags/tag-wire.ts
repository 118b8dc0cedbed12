/** REST records of tags and refs. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import type { Repository } from '#domains/code/repositories'
import { type CommitRecord, type GitRef, localTime, type ObjectType, TAGS, type TagRecord } from '#git'
import type { Site } from '#platform/site'
import {
  addressesOf,
  CommitMeta,
  CommitUser,
  presentPerson,
  presentVerdict,
  Verification,
} from '../commits/commit-wire.ts'
import type { Verdict } from '../signatures/verification.ts'

export type Tag = Static<typeof Tag>
export const Tag = Type.Object(
  {
    name: Type.String(),
    message: Type.String(),
    id: Type.String(),
    commit: CommitMeta,
    zipball_url: Type.String(),
    tarball_url: Type.String(),
  },
  { title: 'Tag' },
)

/** A tag with its annotation, if it is annotated, and its commit, if it points to one. */
export interface LoadedTag {
  readonly ref: GitRef
  readonly annotation: TagRecord | undefined
  readonly commit: CommitRecord | undefined
}

/** Compat: the message of a lightweight tag is that of its commit. */
export function presentTag({ ref, annotation, commit }: LoadedTag, repo: Repository, site: Site): Tag {
  const { api, html } = addressesOf(repo, site)
  const name = ref.name.slice(TAGS.length)
  const sha = ref.peeled_oid ?? ref.oid
  const maker = annotation?.tagger ?? commit?.committer
  const archive = `${html}/archive/${encodeURIComponent(name)}`
  return {
    name,
    message: annotation?.message ?? commit?.message ?? '',
    id: ref.oid,
    commit: { url: `${api}/git/commits/${sha}`, sha, created: maker ? localTime(maker) : null },
    zipball_url: `${archive}.zip`,
    tarball_url: `${archive}.tar.gz`,
  }
}

const GitObject = Type.Object(
  { type: Type.String(), sha: Type.String(), url: Type.String() },
  { title: 'GitObject' },
)
export type Reference = Static<typeof Reference>
export const Reference = Type.Object(
  { ref: Type.String(), url: Type.String(), object: GitObject },
  { title: 'Reference' },
)

export function presentRef(ref: GitRef, type: ObjectType, repo: Repository, site: Site): Reference {
  const { api } = addressesOf(repo, site)
  return { ref: ref.name, url: `${api}/git/${ref.name}`, object: presentObject(ref.oid, type, api) }
}

export type AnnotatedTag = Static<typeof AnnotatedTag>
export const AnnotatedTag = Type.Object(
  {
    tag: Type.String(),
    sha: Type.String(),
    url: Type.String(),
    message: Type.String(),
    tagger: CommitUser,
    object: Type.Object(
      { type: Type.String(), sha: Type.String(), url: Type.String() },
      { title: 'AnnotatedTagObject' },
    ),
    verification: Verification,
  },
  { title: 'AnnotatedTag' },
)

export function presentAnnotatedTag(
  tag: TagRecord,
  verdict: Verdict,
  repo: Repository,
  site: Site,
): AnnotatedTag {
  const { api } = addressesOf(repo, site)
  return {
    tag: tag.name,
    sha: tag.oid,
    url: `${api}/git/tags/${tag.oid}`,
    message: tag.message,
    tagger: tag.tagger === null ? { name: '', email: '', date: '' } : presentPerson(tag.tagger),
    object: presentObject(tag.target.oid, tag.target.type, api),
    verification: presentVerdict(verdict),
  }
}

const PLACES: Readonly<Record<string, string>> = { tag: 'tags', tree: 'trees', blob: 'blobs' }

function presentObject(sha: string, type: string, api: string) {
  return { type, sha, url: `${api}/git/${PLACES[type] ?? 'commits'}/${sha}` }
}
