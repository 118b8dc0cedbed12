/** Generates a repository with the files, topics, labels and hooks of a template. */
import { may } from '#domains/people/access'
import { mayCreateRepository } from '#domains/people/orgs'
import { type Account, copyPicture, findVisible, keepPicture } from '#domains/people/users'
import { emit } from '#events'
import { findRef, HEADS, type StorageId } from '#git'
import type { Context } from '#platform/context'
import { forbidden, invalid, notFound } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { CanRead } from '../access/open-repository.ts'
import { eventOf } from '../events.ts'
import { getRepository, type Repository } from '../record/load.ts'
import { assertRepositoryName } from '../record/names.ts'
import { UNITS_OF } from '../record/settings.ts'
import { signatureOf } from '../record/signature.ts'
import type { GenerateRepository } from '../schemas.ts'
import { assertBranchName } from './create-repository.ts'
import { findPictureOwner } from './edit-picture.ts'
import { initializeRepository } from './initialize-repository.ts'
import { assertNameFree, insertRecord } from './insert-record.ts'

export async function generateRepository(
  ctx: Context,
  template: CanRead<'code'>,
  actor: SignedIn,
  input: GenerateRepository,
): Promise<Repository> {
  if (!template.is_template) throw invalid('this is not a template repo')
  assertSomething(input)
  const owner = await getOwner(ctx, actor, input.owner)
  await assertNameFree(ctx, owner, input.name)
  const avatar = input.avatar ? await copyPicture(ctx, template.avatar, findPictureOwner) : ''
  const draft = draftOf(template, owner, input, avatar)
  const beginning = {
    objectFormat: template.object_format,
    branch: draft.default_branch,
    author: signatureOf(actor.account, ctx.site, ctx.now()),
    actorId: actor.id,
    content: input.git_content ? await findContent(ctx, template) : null,
  }
  const id = await initializeRepository(ctx, beginning, async (ctx, storage_id) => {
    await keepPicture(ctx, avatar)
    const now = ctx.now()
    const row = { ...draft, storage_id, created_at: now, updated_at: now }
    const repo = await insertRecord(ctx, actor, { owner, row })
    await emit(ctx, 'repository.generated', {
      ...eventOf(repo, actor.id),
      template_id: template.id,
      wants_labels: input.labels ?? false,
      // Hook URLs are often secrets, so only administrators of the template may copy them.
      wants_webhooks: (input.webhooks ?? false) && may(template.access, 'admin'),
      wants_protections: input.protected_branch ?? false,
    })
    return repo.id
  })
  // Compat: the response shows no watchers and no topics.
  return { ...(await getRepository(ctx, id)), watchers: 0, topics: [] }
}

/** At least one item of the template must be requested. */
function assertSomething(input: GenerateRepository): void {
  const { git_content, topics, labels, avatar, webhooks, git_hooks, protected_branch } = input
  if (![git_content, topics, labels, avatar, webhooks, git_hooks, protected_branch].includes(true))
    throw invalid('must select at least one template item')
}

async function getOwner(ctx: Context, actor: SignedIn, login: string): Promise<Account> {
  const owner = await findVisible(ctx, login)
  if (owner === undefined) throw notFound('owner', login)
  if (owner.id === actor.id || actor.isAdmin) return owner
  if (owner.kind !== 'organization') throw forbidden('only admin can generate repository for other user')
  if (!(await mayCreateRepository(ctx, owner)))
    throw forbidden('given user is not allowed to create repository in organization')
  return owner
}

function draftOf(template: Repository, owner: Account, input: GenerateRepository, avatar: string) {
  assertRepositoryName(input.name)
  const default_branch = input.default_branch || template.default_branch
  assertBranchName(default_branch)
  return {
    owner_id: owner.id,
    name: input.name,
    name_key: input.name.toLowerCase(),
    description: input.description ?? '',
    is_private: input.private ?? false,
    archived_at: null,
    default_branch,
    object_format: template.object_format,
    units: [...UNITS_OF.plain],
    topics: input.topics ? template.topics : [],
    avatar,
    language: input.git_content ? template.language : '',
    licenses: input.git_content ? template.licenses : [],
  }
}

/** The tip of the template's default branch; null for an empty template. */
async function findContent(
  ctx: Context,
  { storage_id, default_branch }: Repository,
): Promise<{ storageId: StorageId; commit: string } | null> {
  const ref = await findRef(ctx.db, storage_id, HEADS + default_branch)
  return ref === undefined ? null : { storageId: storage_id, commit: ref.oid }
}
