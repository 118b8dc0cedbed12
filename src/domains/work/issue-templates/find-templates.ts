/** Finds a repository's issue templates and config in all supported folders of the default branch. */

import type { Visible } from '#domains/code/repositories'
import { findBlob, findEntry, findRef, HEADS, listTree } from '#git'
import type { Context } from '#platform/context'
import { couldBeTemplate, NO_CONFIG, type ReadConfig } from './files.ts'
import { readConfigFile, readTemplateFile } from './read-file.ts'
import type { IssueTemplate } from './template.ts'

const FOLDERS = ['', '.gitea/', '.github/', '.gitlab/'].flatMap((place) =>
  ['ISSUE_TEMPLATE', 'issue_template'].map((name) => place + name),
)
const CONFIGS = ['.gitea/', '.github/'].flatMap((place) =>
  ['ISSUE_TEMPLATE/config', 'issue_template/config'].flatMap((name) =>
    ['.yaml', '.yml'].map((ending) => place + name + ending),
  ),
)
const FILE_BYTES_MAX = 128 * 1024
/** For all folders together. */
const TEMPLATES_MAX = 50

/** Valid templates, ordered by folder and name. */
export async function findIssueTemplates(ctx: Context, repo: Visible): Promise<IssueTemplate[]> {
  const head = await findHead(ctx, repo)
  if (head === undefined) return []
  const templates: IssueTemplate[] = []
  for (const { path, oid } of await findFiles(ctx, repo, head)) {
    const text = await readText(ctx, repo, oid)
    const template = text && (await readTemplateFile(ctx, path, { oid, text }))
    if (template) templates.push({ ...template, ref: refOf(template) })
  }
  return templates
}

interface File {
  readonly path: string
  readonly oid: string
}

async function findFiles(ctx: Context, repo: Visible, head: string): Promise<File[]> {
  const files: File[] = []
  for (const folder of FOLDERS) {
    const query = { path: folder, isRecursive: false, skip: 0, limit: TEMPLATES_MAX }
    const entries = (await listTree(ctx, repo.storage_id, head, query))?.entries ?? []
    const named = entries.filter(({ type, path }) => type === 'blob' && couldBeTemplate(path))
    files.push(...named.map(({ path, oid }) => ({ path: `${folder}/${path}`, oid })))
  }
  return files.slice(0, TEMPLATES_MAX)
}

/** Compat: a short name becomes a branch ref, even if the branch does not exist. */
function refOf({ ref }: IssueTemplate): string {
  return ref.startsWith('refs/') ? ref : HEADS + ref
}

export async function findIssueConfig(ctx: Context, repo: Visible): Promise<ReadConfig> {
  const head = await findHead(ctx, repo)
  if (head === undefined) return NO_CONFIG
  for (const path of CONFIGS) {
    const entry = await findEntry(ctx, repo.storage_id, head, path)
    if (entry?.type !== 'blob') continue
    const text = await readText(ctx, repo, entry.oid)
    if (text === undefined) return { ...NO_CONFIG, fault: 'file is too large' }
    return readConfigFile(ctx, { oid: entry.oid, text })
  }
  return NO_CONFIG
}

async function findHead(ctx: Context, repo: Visible): Promise<string | undefined> {
  return (await findRef(ctx.db, repo.storage_id, HEADS + repo.default_branch))?.oid
}

/** undefined if the file is too large for a template. */
async function readText(ctx: Context, repo: Visible, oid: string): Promise<string | undefined> {
  const blob = await findBlob(ctx, repo.storage_id, oid, FILE_BYTES_MAX)
  return blob?.isWhole ? blob.data.toString('utf8') : undefined
}
