/** Creates a repository from a request, with or without a first commit. */
import {
  fillLicense,
  findGitignore,
  findLabelSet,
  findLicense,
  findReadme,
  hasLicense,
  listReadmes,
} from '#domains/instance/templates'
import type { Account } from '#domains/people/users'
import { type FileChange, HEADS, isRefName, type ObjectFormat } from '#git'
import type { Context } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { getRepository, type Repository } from '../record/load.ts'
import { assertRepositoryName } from '../record/names.ts'
import { UNITS_OF } from '../record/settings.ts'
import { signatureOf } from '../record/signature.ts'
import type { CreateRepository } from '../schemas.ts'
import type { NewRepositoryRow, TrustModel } from '../tables.ts'
import { initializeRepository } from './initialize-repository.ts'
import { assertNameFree, type Creator, insertRecord } from './insert-record.ts'

const DEFAULT_BRANCH = 'main'
const DEFAULT_README = 'Default'
const TRUST_MODELS: readonly TrustModel[] = ['default', 'collaborator', 'committer', 'collaboratorcommitter']

type Draft = Omit<NewRepositoryRow, 'storage_id' | 'created_at' | 'updated_at'> & {
  readonly object_format: ObjectFormat
  readonly default_branch: string
}

/** The route has checked that the caller may create for the owner. The creator watches the repository. */
export async function createRepository(
  ctx: Context,
  creator: Creator,
  owner: Account,
  input: CreateRepository,
): Promise<Repository> {
  const draft = draftOf(owner, input)
  const files = input.auto_init ? await firstFiles(ctx, creator, owner, input) : null
  const labelSet = input.issue_labels ?? ''
  assertLabelSet(labelSet)
  await assertNameFree(ctx, owner, input.name)
  const beginning = {
    objectFormat: draft.object_format,
    branch: draft.default_branch,
    author: signatureOf(creator.account, ctx.site, ctx.now()),
    actorId: creator.id,
    content: files,
  }
  const id = await initializeRepository(ctx, beginning, async (ctx, storage_id) => {
    const now = ctx.now()
    const row = { ...draft, storage_id, created_at: now, updated_at: now }
    return (await insertRecord(ctx, creator, { owner, row, labelSet })).id
  })
  return getRepository(ctx, id)
}

function draftOf(owner: Account, input: CreateRepository): Draft {
  assertRepositoryName(input.name)
  const default_branch = input.default_branch || DEFAULT_BRANCH
  assertBranchName(default_branch)
  const license = input.license ?? ''
  if (license !== '' && !hasLicense(license)) throw invalid('unknown license', { license })
  return {
    owner_id: owner.id,
    name: input.name,
    name_key: input.name.toLowerCase(),
    description: input.description ?? '',
    is_private: input.private ?? false,
    is_template: input.template ?? false,
    archived_at: null,
    default_branch,
    object_format: objectFormatOf(input.object_format_name ?? ''),
    units: [...(input.template ? UNITS_OF.template : UNITS_OF.plain)],
    trust_model: trustModelOf(input.trust_model ?? ''),
    // Compat: the requested licence is shown even before its file exists.
    licenses: license === '' ? [] : [license],
  }
}

/** README, .gitignore and LICENSE, as requested. */
async function firstFiles(
  ctx: Context,
  creator: Creator,
  owner: Account,
  input: CreateRepository,
): Promise<FileChange[]> {
  const readme = findReadme(input.readme || DEFAULT_README)
  if (readme === undefined)
    throw new Problem(
      'malformed',
      `readme template does not exist, available templates: [${listReadmes().join(' ')}]`,
    )
  const files: [string, string][] = [
    ['README.md', readme({ name: input.name, description: input.description ?? '' })],
  ]
  if (input.gitignores) files.push(['.gitignore', await gitignoreOf(input.gitignores)])
  if (input.license) {
    const found = await findLicense(input.license)
    const { email } = signatureOf(creator.account, ctx.site, ctx.now())
    const year = ctx.now().getUTCFullYear()
    const facts = { owner: owner.full_name || owner.login, email, repository: input.name, year }
    files.push(['LICENSE', fillLicense(found?.text ?? '', facts)])
  }
  return files.map(([path, text]) => ({ kind: 'create', path, content: Buffer.from(text) }))
}

/** Concatenates the .gitignore templates of a comma-separated list. */
async function gitignoreOf(names: string): Promise<string> {
  const parts: string[] = []
  for (const name of names.split(',').map((it) => it.trim())) {
    const text = await findGitignore(name)
    if (text === undefined) throw invalid('unknown gitignore template', { name })
    parts.push(`# ---> ${name}\n${text}\n`)
  }
  return parts.join('')
}

function assertLabelSet(name: string): void {
  if (name !== '' && findLabelSet(name) === undefined) throw invalid('unknown label template', { name })
}

export function assertBranchName(name: string): void {
  if (!isRefName(HEADS + name)) throw invalid('default branch is not a valid branch name', { name })
}

function trustModelOf(name: string): TrustModel {
  const model = TRUST_MODELS.find((it) => it === (name || 'default'))
  if (model === undefined) throw invalid(`trust model must be one of ${TRUST_MODELS.join(', ')}`)
  return model
}

function objectFormatOf(name: string): ObjectFormat {
  if (name === '' || name === 'sha1') return 'sha1'
  if (name === 'sha256') return 'sha256'
  throw invalid('object format must be sha1 or sha256')
}
