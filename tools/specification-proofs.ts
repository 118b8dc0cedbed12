/** The test that covers each operation of the specification, and the decisions that concern it. */
interface Proof {
  readonly test: string
  readonly decisions: readonly string[]
}

const runners = 'src/domains/actions/runners/record/runners.test.ts'
const runs = 'src/domains/actions/runs/lists/lists.test.ts'
const emails = 'src/domains/people/users/emails/emails.test.ts'
const hooks = 'src/domains/code/webhooks/hooks/hooks.test.ts'
const projects = 'src/domains/work/projects/records/projects.test.ts'
const dependencies = 'src/domains/work/issues/dependencies/dependencies.test.ts'

export const OWN_PROOFS: Readonly<Record<string, Proof>> = {
  'GET /admin/actions/jobs': { test: runs, decisions: ['D9', 'D37', 'D39'] },
  'GET /admin/actions/runners': { test: runners, decisions: ['D9', 'D37'] },
  'POST /admin/actions/runners/registration-token': { test: runners, decisions: [] },
  'GET /admin/actions/runners/{runner_id}': { test: runners, decisions: [] },
  'DELETE /admin/actions/runners/{runner_id}': { test: runners, decisions: [] },
  'PATCH /admin/actions/runners/{runner_id}': { test: runners, decisions: [] },
  'GET /admin/actions/runs': { test: runs, decisions: ['D9', 'D13', 'D37', 'D40'] },
  'GET /admin/cron': { test: 'src/domains/instance/admin/cron.test.ts', decisions: ['D27'] },
  'POST /admin/cron/{task}': { test: 'src/domains/instance/admin/cron.test.ts', decisions: ['D27'] },
  'GET /admin/emails': { test: emails, decisions: [] },
  'GET /admin/emails/search': { test: emails, decisions: [] },
  'GET /admin/hooks': { test: hooks, decisions: [] },
  'POST /admin/hooks': { test: hooks, decisions: ['D10'] },
  'POST /orgs/{org}/repos': {
    test: 'src/domains/code/repositories/lifecycle/create.test.ts',
    decisions: ['D3', 'D37', 'D40'],
  },
  'POST /repos/migrate': { test: 'src/domains/remotes/imports/imports.test.ts', decisions: ['D8', 'D15'] },
  'GET /repos/search': {
    test: 'src/domains/code/repositories/search/search.test.ts',
    decisions: ['D26', 'D35', 'D39'],
  },
  'GET /users/{username}/subscriptions': {
    test: 'src/domains/code/repositories/stars/stars.test.ts',
    decisions: ['D26'],
  },
  'GET /repos/{owner}/{repo}/keys': {
    test: 'src/domains/code/keys/deploy/deploy-keys.test.ts',
    decisions: ['D6'],
  },
  'POST /repos/{owner}/{repo}/keys': {
    test: 'src/domains/code/keys/deploy/deploy-keys.test.ts',
    decisions: ['D6'],
  },
  'GET /repos/{owner}/{repo}/commits': {
    test: 'src/domains/code/contents/commits/commits.test.ts',
    decisions: ['D1', 'D3', 'D4', 'D34', 'D38'],
  },
  'PATCH /repos/{owner}/{repo}/issues/{index}': {
    test: 'src/domains/work/issues/records/records.test.ts',
    decisions: ['D13', 'D14', 'D37', 'D42', 'D46'],
  },
  'POST /repos/{owner}/{repo}/issues/{index}/blocks': { test: dependencies, decisions: ['D13'] },
  'DELETE /repos/{owner}/{repo}/issues/{index}/blocks': { test: dependencies, decisions: ['D11', 'D13'] },
  'POST /repos/{owner}/{repo}/issues/{index}/times': {
    test: 'src/domains/work/issues/times/times.test.ts',
    decisions: ['D37', 'D38', 'D46'],
  },
  'POST /repos/{owner}/{repo}/issues/{index}/comments': {
    test: 'src/domains/work/issues/comments/comments.test.ts',
    decisions: ['D13', 'D44', 'D45'],
  },
  'GET /repos/issues/search': {
    test: 'src/domains/work/issues/search/search.test.ts',
    decisions: ['D23', 'D26', 'D37', 'D38', 'D47'],
  },
  'PATCH /repos/{owner}/{repo}/pulls/{index}': {
    test: 'src/domains/review/pulls/records/records.test.ts',
    decisions: ['D14', 'D37', 'D42'],
  },
  'POST /repos/{owner}/{repo}/pulls/{index}/requested_reviewers': {
    test: 'src/domains/review/reviews/requests/requests.test.ts',
    decisions: [],
  },
  'GET /repos/{owner}/{repo}/actions/runs': { test: runs, decisions: ['D13', 'D40'] },
  'POST /repos/{owner}/{repo}/actions/runs/{run}/force-cancel': {
    test: 'src/domains/actions/runs/acts/acts.test.ts',
    decisions: [],
  },
  'POST /repos/{owner}/{repo}/projects': { test: projects, decisions: [] },
  'PATCH /repos/{owner}/{repo}/projects/{id}': { test: projects, decisions: [] },
  'POST /repos/{owner}/{repo}/projects/{id}/columns': { test: projects, decisions: [] },
  'PATCH /user/projects/{id}': { test: projects, decisions: [] },
  'GET /user/projects/{id}/columns': { test: projects, decisions: [] },
  'PATCH /user/projects/{id}/columns/{column_id}': { test: projects, decisions: [] },
  'PATCH /notifications/threads/{id}': {
    test: 'src/domains/work/notifications/notifications.test.ts',
    decisions: ['D12', 'D40'],
  },
  'PUT /notifications': {
    test: 'src/domains/work/notifications/notifications.test.ts',
    decisions: ['D12', 'D40', 'D43'],
  },
  'GET /users/{username}/activities/feeds': {
    test: 'src/domains/work/activity/feeds.test.ts',
    decisions: ['D20', 'D38'],
  },
  'GET /repos/{owner}/{repo}/activities/feeds': {
    test: 'src/domains/work/activity/feeds.test.ts',
    decisions: ['D20', 'D38'],
  },
  'GET /packages/{owner}/{type}/{name}/{version}': {
    test: 'src/domains/packages/packages/records/packages.test.ts',
    decisions: ['D41'],
  },
  'POST /user/keys': { test: 'src/domains/code/keys/ssh/public-keys.test.ts', decisions: ['D7', 'D36'] },
}
