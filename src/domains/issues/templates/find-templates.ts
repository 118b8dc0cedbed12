/** The files of a repository that are about issues: looked for in the default branch, in all places people put them. */

import type { Visible } from '#domains/repositories'
import { findBlob, findEntry, findRef, HEADS, listTree } from '#git'
import type { Context } from '#platform/context'
import { NO_CONFIG, type ReadConfig, readConfig } from './config-file.ts'
import { couldBeTemplate, type IssueTemplate, readTemplate } from './template.ts'

const FOLDERS = ['', '.gitea/', '.github/', '.gitlab/'].flatMap((place) =>
  ['ISSUE_TEMPLATE', 'issue_template'].map((name) => place + name),
)
const CONFIGS = ['.gitea/', '.github/'].flatMap((place) =>
  ['ISSUE_TEMPLATE/config', 'issue_template/config'].flatMap((name) =>
    ['.yaml', '.yml'].map((ending) => place + name + ending),
  ),
)
const FILE_BYTES_MAX = 128 * 1024
const TEMPLATES_MAX = 50

/** Those that are valid, in the order of places and names. */
export async function findIssueTemplates(ctx: Context, repo: Visible): Promise<IssueTemplate[]> {
  const head = await findHead(ctx, repo)
  if (head === undefined) return []
  const templates: IssueTemplate[] = []
  for (const folder of FOLDERS) {
    const query = { path: folder, isRecursive: false, skip: 0, limit: TEMPLATES_MAX }
    const entries = (await listTree(ctx, repo.storage_id, head, query))?.entries ?? []
    for (const { path, oid, type } of entries) {
      if (type !== 'blob' || !couldBeTemplate(path)) continue
      const text = await readText(ctx, repo, oid)
      const template = text === undefined ? undefined : readTemplate(`${folder}/${path}`, text)
      if (template !== undefined) templates.push(template)
    }
  }
  return templates
}

export async function findIssueConfig(ctx: Context, repo: Visible): Promise<ReadConfig> {
  const head = await findHead(ctx, repo)
  if (head === undefined) return NO_CONFIG
  for (const path of CONFIGS) {
    const entry = await findEntry(ctx, repo.storage_id, head, path)
    if (entry?.type !== 'blob') continue
    const text = await readText(ctx, repo, entry.oid)
    return text === undefined ? { ...NO_CONFIG, fault: 'file is too large' } : readConfig(text)
  }
  return NO_CONFIG
}

async function findHead(ctx: Context, repo: Visible): Promise<string | undefined> {
  return (await findRef(ctx.db, repo.storage_id, HEADS + repo.default_branch))?.oid
}

/** undefined for a file that is larger than any template. */
async function readText(ctx: Context, repo: Visible, oid: string): Promise<string | undefined> {
  const blob = await findBlob(ctx, repo.storage_id, oid, FILE_BYTES_MAX)
  return blob?.isWhole ? blob.data.toString('utf8') : undefined
}
