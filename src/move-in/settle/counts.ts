/** Counters of rows, by the same rules as the slices keep them; bytes are counted by `bloomery usage recount`. Each statement counts all rows of one table anew. */

/** `table.column = count` for each row of the counter, from a query of ids and numbers. */
function counted(table: string, key: string, column: string, rows: string): string {
  return `update ${table} set ${column} = coalesce(found.n, 0)
    from ${table} as own left join (${rows}) as found (id, n) on found.id = own.${key}
    where ${table}.${key} = own.${key} and ${table}.${column} <> coalesce(found.n, 0)`
}

const repository = (column: string, rows: string) =>
  counted('repository_count', 'repository_id', column, rows)
const account = (column: string, rows: string) => counted('account_count', 'account_id', column, rows)

const REFS = (prefix: string) => `select repository.id, count(*) from git_ref
  join repository on repository.storage_id = git_ref.storage_id where git_ref.name like '${prefix}%' group by 1`
const OPEN = (isPull: boolean) =>
  `select repository_id, count(*) from issue where not is_closed and is_pull = ${isPull} group by 1`

export const COUNTS: readonly string[] = [
  `update repository set family_id = root.id from (
     with recursive up (id, root) as (
       select id, parent_id from repository where parent_id is not null
       union all select up.id, repository.parent_id from up join repository on repository.id = up.root
         where repository.parent_id is not null)
     select up.id as fork, up.root as id from up join repository on repository.id = up.root
       where repository.parent_id is null) as root
   where repository.id = root.fork and repository.family_id is distinct from root.id`,
  `insert into label_count (label_id) select id from label on conflict do nothing`,
  `insert into milestone_count (milestone_id) select id from milestone on conflict do nothing`,
  `insert into issue_number (repository_id, last) select repository.id, coalesce(max(issue.number), 0)
     from repository left join issue on issue.repository_id = repository.id group by 1
     on conflict (repository_id) do update set last = greatest(issue_number.last, excluded.last)`,
  account('followers', 'select followed_id, count(*) from follow group by 1'),
  account('following', 'select follower_id, count(*) from follow group by 1'),
  account('stars', 'select user_id, count(*) from star group by 1'),
  account('repositories', 'select owner_id, count(*) from repository group by 1'),
  account('members', 'select organization_id, count(*) from membership group by 1'),
  account('teams', 'select organization_id, count(*) from team group by 1'),
  repository('stars', 'select repository_id, count(*) from star group by 1'),
  repository('watchers', 'select repository_id, count(*) from watch group by 1'),
  repository('forks', 'select parent_id, count(*) from repository where parent_id is not null group by 1'),
  repository('branches', REFS('refs/heads/')),
  repository('tags', REFS('refs/tags/')),
  repository('open_issues', OPEN(false)),
  repository('open_pulls', OPEN(true)),
  repository('releases', 'select repository_id, count(*) from release where not is_draft group by 1'),
  counted('label_count', 'label_id', 'issues', `select label_id, count(*) from issue_label group by 1`),
  counted(
    'label_count',
    'label_id',
    'closed_issues',
    `select label_id, count(*) from issue_label join issue on issue.id = issue_label.issue_id
     where issue.is_closed group by 1`,
  ),
  ...(['open_issues', 'closed_issues'] as const).map((column) =>
    counted(
      'milestone_count',
      'milestone_id',
      column,
      `select milestone_id, count(*) from issue where milestone_id is not null
       and is_closed = ${column === 'closed_issues'} group by 1`,
    ),
  ),
  counted(
    'issue',
    'id',
    'comments',
    `select issue_id, count(*) from issue_comment where kind in ('comment', 'review') group by 1`,
  ),
  `delete from project_count`,
  `insert into project_count (project_id, repository_id, is_pull, open_issues, closed_issues)
     select card.project_id, card.repository_id, card.is_pull,
       count(*) filter (where not issue.is_closed), count(*) filter (where issue.is_closed)
     from project_card as card join issue on issue.id = card.issue_id group by 1, 2, 3`,
  counted(
    'pull_request',
    'issue_id',
    'review_comments',
    `select issue_id, count(*) from review where kind in ('approve', 'comment', 'reject') group by 1`,
  ),
  `delete from issue_reviewer`,
  `insert into issue_reviewer (issue_id, user_id, team_id, is_requested, has_reviewed, has_standing, updated_at)
     select issue_id, reviewer_id, team_id, bool_or(kind = 'request'),
       bool_or(kind in ('approve', 'comment', 'reject')),
       bool_or(kind in ('approve', 'comment', 'reject') and not is_dismissed), max(updated_at)
     from review where kind <> 'pending' and num_nonnulls(reviewer_id, team_id) = 1 group by 1, 2, 3`,
]
