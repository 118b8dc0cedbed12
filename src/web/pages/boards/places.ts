/** Owners of boards: a repository, an organization or the user. Each has its own, equivalent operations. */
import type { ShownColumn } from '#domains/work/issues'
import type { RuleEvent } from '#domains/work/projects'
import type { Listed, PageVisit } from '#platform/page'
import { notFound } from '#platform/problem'
import type {
  CreateProjectColumnOption,
  CreateProjectOption,
  EditProjectColumnOption,
  EditProjectOption,
  MoveProjectIssueOption,
  Project,
  ProjectColumn,
} from '../../gen/contract.ts'

type Id = number | string

export interface BoardPlace {
  list(page: { state: string; page: number; limit: number }): Promise<Listed<Project>>
  get(id: Id): Promise<Project>
  columns(id: Id): Promise<Listed<ProjectColumn>>
  /** Cards of all columns, by column id. */
  cards(id: Id): Promise<ReadonlyMap<number, ShownColumn>>
  create(body: CreateProjectOption): Promise<Project>
  edit(id: Id, body: EditProjectOption): Promise<unknown>
  delete(id: Id): Promise<unknown>
  addColumn(id: Id, body: CreateProjectColumnOption): Promise<unknown>
  editColumn(id: Id, column: Id, body: EditProjectColumnOption): Promise<unknown>
  deleteColumn(id: Id, column: Id): Promise<unknown>
  chooseDefault(id: Id, column: Id): Promise<unknown>
  orderColumns(id: Id, ids: readonly number[]): Promise<unknown>
  setRules(id: Id, column: Id, takes: RuleEvent[]): Promise<unknown>
  put(id: Id, column: Id, issue: Id): Promise<unknown>
  move(id: Id, issue: Id, body: MoveProjectIssueOption): Promise<unknown>
  take(id: Id, column: Id, issue: Id): Promise<unknown>
}

const MOST = { limit: 50 }

export function ofRepository(visit: PageVisit, at: { owner: string; repo: string }): BoardPlace {
  const { ask, list } = visit
  const { owner, repo } = at
  const one = (id: Id) => ({ owner, repo, id })
  const column = (id: Id, column_id: Id) => ({ ...one(id), column_id })
  return {
    list: (page) => list('repoListProjects', { owner, repo, ...page }),
    get: (id) => ask('repoGetProject', one(id)),
    columns: (id) => list('repoListProjectColumns', { ...one(id), ...MOST }),
    cards: (id) => ask('repoGetBoard', { ...one(id), ...MOST }),
    create: (body) => ask('repoCreateProject', { owner, repo }, body),
    edit: (id, body) => ask('repoEditProject', one(id), body),
    delete: (id) => ask('repoDeleteProject', one(id)),
    addColumn: (id, body) => ask('repoCreateProjectColumn', one(id), body),
    editColumn: (id, it, body) => ask('repoEditProjectColumn', column(id, it), body),
    deleteColumn: (id, it) => ask('repoDeleteProjectColumn', column(id, it)),
    chooseDefault: (id, it) => ask('repoSetDefaultProjectColumn', column(id, it)),
    orderColumns: (id, column_ids) => ask('repoMoveProjectColumns', one(id), { column_ids }),
    setRules: (id, it, takes) => ask('repoSetColumnRules', column(id, it), { takes }),
    put: (id, it, issue_id) => ask('repoAddIssueToProjectColumn', { ...column(id, it), issue_id }),
    move: (id, issue_id, body) => ask('repoMoveProjectIssue', { ...one(id), issue_id }, body),
    take: (id, it, issue_id) => ask('repoRemoveIssueFromProjectColumn', { ...column(id, it), issue_id }),
  }
}

function ofOrganization(visit: PageVisit, org: string): BoardPlace {
  const { ask, list } = visit
  const one = (id: Id) => ({ org, id })
  const column = (id: Id, column_id: Id) => ({ org, id, column_id })
  return {
    list: (page) => list('orgListProjects', { org, ...page }),
    get: (id) => ask('orgGetProject', one(id)),
    columns: (id) => list('orgListProjectColumns', { ...one(id), ...MOST }),
    cards: (id) => ask('orgGetBoard', { ...one(id), ...MOST }),
    create: (body) => ask('orgCreateProject', { org }, body),
    edit: (id, body) => ask('orgEditProject', one(id), body),
    delete: (id) => ask('orgDeleteProject', one(id)),
    addColumn: (id, body) => ask('orgCreateProjectColumn', one(id), body),
    editColumn: (id, it, body) => ask('orgEditProjectColumn', column(id, it), body),
    deleteColumn: (id, it) => ask('orgDeleteProjectColumn', column(id, it)),
    chooseDefault: (id, it) => ask('orgSetDefaultProjectColumn', column(id, it)),
    orderColumns: (id, column_ids) => ask('orgMoveProjectColumns', one(id), { column_ids }),
    setRules: (id, it, takes) => ask('orgSetColumnRules', column(id, it), { takes }),
    put: (id, it, issue_id) => ask('orgAddIssueToProjectColumn', { ...column(id, it), issue_id }),
    move: (id, issue_id, body) => ask('orgMoveProjectIssue', { org, id, issue_id }, body),
    take: (id, it, issue_id) => ask('orgRemoveIssueFromProjectColumn', { ...column(id, it), issue_id }),
  }
}

function ofOneself(visit: PageVisit): BoardPlace {
  const { ask, list } = visit
  const column = (id: Id, column_id: Id) => ({ id, column_id })
  return {
    list: (page) => list('userCurrentListProjects', page),
    get: (id) => ask('userCurrentGetProject', { id }),
    columns: (id) => list('userCurrentListProjectColumns', { id, ...MOST }),
    cards: (id) => ask('userCurrentGetBoard', { id, ...MOST }),
    create: (body) => ask('userCurrentCreateProject', {}, body),
    edit: (id, body) => ask('userCurrentEditProject', { id }, body),
    delete: (id) => ask('userCurrentDeleteProject', { id }),
    addColumn: (id, body) => ask('userCurrentCreateProjectColumn', { id }, body),
    editColumn: (id, it, body) => ask('userCurrentEditProjectColumn', column(id, it), body),
    deleteColumn: (id, it) => ask('userCurrentDeleteProjectColumn', column(id, it)),
    chooseDefault: (id, it) => ask('userCurrentSetDefaultProjectColumn', column(id, it)),
    orderColumns: (id, column_ids) => ask('userCurrentMoveProjectColumns', { id }, { column_ids }),
    setRules: (id, it, takes) => ask('userCurrentSetColumnRules', column(id, it), { takes }),
    put: (id, it, issue_id) => ask('userCurrentAddIssueToProjectColumn', { ...column(id, it), issue_id }),
    move: (id, issue_id, body) => ask('userCurrentMoveProjectIssue', { id, issue_id }, body),
    take: (id, it, issue_id) =>
      ask('userCurrentRemoveIssueFromProjectColumn', { ...column(id, it), issue_id }),
  }
}

/** Boards of an account. For other users the REST API only has a list. */
export function ofAccount(
  visit: PageVisit,
  owner: { readonly login: string; readonly type: string },
): BoardPlace {
  if (owner.type === 'Organization') return ofOrganization(visit, owner.login)
  const own = ofOneself(visit)
  if (visit.ctx.actor?.login.toLowerCase() === owner.login.toLowerCase()) return own
  const hidden = (id: Id) => Promise.reject(notFound('project', id))
  return {
    ...own,
    list: (page) => visit.list('userListProjects', { username: owner.login, ...page }),
    get: hidden,
    columns: hidden,
    cards: hidden,
    create: () => hidden(owner.login),
  }
}
