/** Project boards with their columns and cards. */
import { carry } from '../carry/carry.ts'
import { flag, id, number, text, timeOr, timesOf } from '../source/fields.ts'

const TEMPLATES = ['none', 'basic_kanban', 'bug_triage'] as const
const OF_REPOSITORY = 2

const projects = carry({
  from: 'project',
  into: 'project',
  rows: (row) => {
    const isOfRepository = number(row.type) === OF_REPOSITORY
    return {
      id: number(row.id),
      repository_id: isOfRepository ? id(row.repo_id) : null,
      owner_id: isOfRepository ? null : id(row.owner_id),
      creator_id: id(row.creator_id),
      title: text(row.title),
      description: text(row.description),
      template_type: TEMPLATES[number(row.board_type)] ?? 'none',
      card_type: number(row.card_type) === 1 ? 'images_and_text' : 'text_only',
      is_closed: flag(row.is_closed),
      closed_at: flag(row.is_closed) ? timeOr(row.closed_date_unix, row.updated_unix) : null,
      ...timesOf(row),
    }
  },
})

const columns = carry({
  from: 'project_board',
  into: 'project_column',
  rows: (row) => ({
    id: number(row.id),
    project_id: number(row.project_id),
    creator_id: id(row.creator_id),
    title: text(row.title),
    color: text(row.color),
    is_default: flag(row.default),
    sorting: number(row.sorting),
    ...timesOf(row),
  }),
})

/** A card without a column is in the default one. */
const cards = carry({
  name: 'project_issue → project_card',
  from: `select c.id, c.issue_id, c.project_id, c.sorting, i.repo_id, i.is_pull,
      case when c.project_board_id > 0 then c.project_board_id else b.id end as column_id
    from project_issue as c join issue as i on i.id = c.issue_id
    left join project_board as b on b.project_id = c.project_id and b."default" = true`,
  into: 'project_card',
  key: ['issue_id', 'project_id'],
  isReplaced: true,
  rows: (row) => ({
    issue_id: number(row.issue_id),
    project_id: number(row.project_id),
    column_id: number(row.column_id),
    repository_id: number(row.repo_id),
    is_pull: flag(row.is_pull),
    sorting: number(row.sorting),
  }),
})

export const projectSteps = [projects, columns, cards]
