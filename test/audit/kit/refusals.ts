/** Rule 3 of the specification: which refusals each operation lists, and those that a decision adds. */

interface Kinds {
  /** As listed in the tables of the specification. */
  readonly listed: readonly number[]
  /** Statuses that a decision adds, with its number. */
  readonly decided?: Readonly<Record<number, string>>
}

/** Every operation may require credentials and permissions. */
const EVERYWHERE: readonly number[] = [401, 403]
/** HTTP itself adds these for operations with a body: another media type, and a body that is too large (D19). */
const WITH_BODY: readonly number[] = [400, 413]
/** HTTP itself adds this for operations with a path. */
const WITH_PATH: readonly number[] = [414]

const ARCHIVED = { 423: 'D3' }
const REPO = '/repos/{owner}/{repo}'
const ISSUE = `${REPO}/issues/{index}`

export const KINDS: Readonly<Record<string, Kinds>> = {
  'GET /admin/actions/jobs': { listed: [400, 404, 422] },
  'GET /admin/actions/runners': { listed: [400, 404] },
  'POST /admin/actions/runners/registration-token': { listed: [] },
  'GET /admin/actions/runners/{runner_id}': { listed: [400, 404] },
  'DELETE /admin/actions/runners/{runner_id}': { listed: [400, 404] },
  'PATCH /admin/actions/runners/{runner_id}': { listed: [400, 404, 422] },
  'GET /admin/actions/runs': { listed: [400, 404] },
  'GET /admin/cron': { listed: [403] },
  'POST /admin/cron/{task}': { listed: [404] },
  'GET /admin/emails': { listed: [403] },
  'GET /admin/emails/search': { listed: [403] },
  'GET /admin/hooks': { listed: [] },
  // The specification shows neither body nor answer of this one.
  'POST /admin/hooks': { listed: [400, 422] },
  'POST /orgs/{org}/repos': { listed: [400, 403, 404], decided: { 409: 'D37' } },
  'POST /repos/migrate': { listed: [403, 409, 422] },
  'GET /repos/search': { listed: [422] },
  'GET /users/{username}/subscriptions': { listed: [404] },
  [`GET ${REPO}/keys`]: { listed: [404] },
  [`POST ${REPO}/keys`]: { listed: [404, 422], decided: ARCHIVED },
  [`GET ${REPO}/commits`]: { listed: [404, 409], decided: { 422: 'D38' } },
  [`PATCH ${ISSUE}`]: { listed: [400, 403, 404, 409], decided: ARCHIVED },
  [`POST ${ISSUE}/blocks`]: { listed: [404], decided: { 422: 'D37', ...ARCHIVED } },
  [`DELETE ${ISSUE}/blocks`]: { listed: [404], decided: { 422: 'D18', ...ARCHIVED } },
  [`POST ${ISSUE}/times`]: { listed: [400, 403, 404], decided: ARCHIVED },
  [`POST ${ISSUE}/comments`]: { listed: [403, 404, 423], decided: { 422: 'D18' } },
  'GET /repos/issues/search': { listed: [400, 422] },
  [`PATCH ${REPO}/pulls/{index}`]: {
    listed: [],
    decided: { 404: 'D18', 409: 'D1', 422: 'D37', ...ARCHIVED },
  },
  [`POST ${REPO}/pulls/{index}/requested_reviewers`]: { listed: [404, 422] },
  [`GET ${REPO}/actions/runs`]: { listed: [400, 404] },
  [`POST ${REPO}/actions/runs/{run}/force-cancel`]: { listed: [400, 403, 404, 409] },
  [`POST ${REPO}/projects`]: { listed: [404, 422, 423] },
  [`PATCH ${REPO}/projects/{id}`]: { listed: [404, 422, 423] },
  [`POST ${REPO}/projects/{id}/columns`]: { listed: [403, 404, 422, 423] },
  'PATCH /user/projects/{id}': { listed: [404, 422] },
  'GET /user/projects/{id}/columns': { listed: [404] },
  'PATCH /user/projects/{id}/columns/{column_id}': { listed: [403, 404, 422] },
  'PATCH /notifications/threads/{id}': { listed: [403, 404] },
  'PUT /notifications': { listed: [], decided: { 400: 'D38', 422: 'D43' } },
  'GET /users/{username}/activities/feeds': { listed: [], decided: { 404: 'D18', 422: 'D38' } },
  [`GET ${REPO}/activities/feeds`]: { listed: [404], decided: { 422: 'D38' } },
  'GET /packages/{owner}/{type}/{name}/{version}': { listed: [], decided: { 404: 'D18' } },
  'POST /user/keys': { listed: [401, 403, 422] },
}

/** Unlisted refusals of an operation, each with the request that got it. */
export function findUnlisted(operation: string, seen: ReadonlyMap<number, string>): string[] {
  const { listed, decided = {} } = KINDS[operation] ?? { listed: [] }
  const ofHttp = operation.startsWith('GET ') ? [] : WITH_BODY
  const allowed = new Set([
    ...EVERYWHERE,
    ...WITH_PATH,
    ...ofHttp,
    ...listed,
    ...Object.keys(decided).map(Number),
  ])
  return [...seen].filter(([status]) => status >= 400 && !allowed.has(status)).map(([, line]) => line)
}
