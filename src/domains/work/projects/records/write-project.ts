/** Creates, edits and deletes projects. */
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { cutTitle } from '#platform/rest'
import { hintTopic } from '#slices'
import { insertColumns } from '../columns/store.ts'
import type { ProjectPlace, WritablePlace } from '../open-place.ts'
import type { ProjectRow, TemplateType } from '../tables.ts'
import type { CreateProject, EditProject } from './schemas.ts'
import {
  deleteProjectRow,
  findProject,
  type HeldProject,
  insertProject,
  lockProject,
  updateProject,
} from './store.ts'

/** Compat: titles and order of a template's columns. The first is the default. */
const COLUMNS: Readonly<Record<TemplateType, readonly string[]>> = {
  none: [],
  basic_kanban: ['Backlog', 'To Do', 'In Progress', 'Done'],
  bug_triage: ['Backlog', 'Needs Triage', 'High Priority', 'Low Priority', 'Closed'],
}

export function createProject(ctx: Context, place: WritablePlace, input: CreateProject): Promise<ProjectRow> {
  return transact(ctx, async (ctx) => {
    const times = { created_at: ctx.now(), updated_at: ctx.now() }
    const creator_id = place.actor.id
    const template_type = input.template_type || 'none'
    const project = await insertProject(ctx.db, {
      repository_id: place.repo?.id ?? null,
      owner_id: place.repo === null ? place.owner.id : null,
      creator_id,
      title: cutTitle(input.title),
      description: input.description ?? '',
      template_type,
      card_type: input.card_type || 'text_only',
      ...times,
    })
    const columns = COLUMNS[template_type].map((title, i) => {
      return {
        project_id: project.id,
        creator_id,
        title,
        color: '',
        is_default: i === 0,
        sorting: 0,
        ...times,
      }
    })
    await insertColumns(ctx.db, columns)
    return project
  })
}

export function editProject(
  ctx: Context,
  place: WritablePlace,
  id: number,
  input: EditProject,
): Promise<ProjectRow> {
  return transact(ctx, async (ctx) => {
    const project = await holdProject(ctx, place, id)
    const isClosed = input.state === undefined ? project.is_closed : input.state === 'closed'
    return updateProject(ctx.db, id, {
      title: input.title === undefined ? project.title : cutTitle(input.title.trim()),
      description: input.description ?? project.description,
      card_type: input.card_type === undefined ? project.card_type : input.card_type || 'text_only',
      is_closed: isClosed,
      closed_at: isClosed ? (project.closed_at ?? ctx.now()) : null,
      updated_at: ctx.now(),
    })
  })
}

export async function deleteProject(ctx: Context, place: WritablePlace, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    await holdProject(ctx, place, id)
    await deleteProjectRow(ctx.db, id)
  })
}

export async function getProject({ db }: Context, place: ProjectPlace, id: number): Promise<ProjectRow> {
  const project = await findProject(db, place, id)
  if (project === undefined) throw notFound('project', id)
  return project
}

/** Locks a project for a change, and hints open boards. */
async function holdProject(ctx: TxContext, place: WritablePlace, id: number): Promise<HeldProject> {
  const project = await lockProject(ctx.db, place, id)
  if (project === undefined) throw notFound('project', id)
  hintTopic(ctx, 'board', id)
  return project
}

/** The board of a closed project cannot be changed. */
export async function holdOpenProject(
  ctx: TxContext,
  place: WritablePlace,
  id: number,
): Promise<HeldProject> {
  const project = await holdProject(ctx, place, id)
  if (project.is_closed) throw forbidden('project is closed')
  return project
}
