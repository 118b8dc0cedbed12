/** The installation over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
import { asAnybody, ok, type Route, route } from '#platform/rest'
import { API_VERSION, VERSION } from '#platform/version'

const ServerVersion = Type.Object({ version: Type.String() }, { title: 'ServerVersion' })
const GeneralApiSettings = Type.Object(
  {
    max_response_items: Type.Integer(),
    default_paging_num: Type.Integer(),
    default_git_trees_per_page: Type.Integer(),
    default_max_blob_size: Type.Integer(),
    default_max_response_size: Type.Integer(),
  },
  { title: 'GeneralAPISettings' },
)
/** Compat: the reference's own bounds, which clients plan their paging with. */
const TREES_PER_PAGE = 1_000
const BLOB_BYTES_MAX = 10_485_760
const ANSWER_BYTES_MAX = 104_857_600

export const instanceRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/version',
    operationId: 'getVersion',
    tag: 'miscellaneous',
    summary: 'Which version of the interface this is',
    scopes: [],
    answers: { 200: ServerVersion },
    open: asAnybody,
    handle: async () => ({ ...ok({ version: API_VERSION }), headers: { 'x-bloomery-version': VERSION } }),
  }),
  route({
    method: 'GET',
    path: '/settings/api',
    operationId: 'getGeneralAPISettings',
    tag: 'settings',
    summary: 'Bounds of the interface',
    scopes: [],
    answers: { 200: GeneralApiSettings },
    open: asAnybody,
    handle: async ({ ctx }) =>
      ok({
        max_response_items: ctx.config['http.page_max'],
        default_paging_num: ctx.config['http.page_default'],
        default_git_trees_per_page: TREES_PER_PAGE,
        default_max_blob_size: BLOB_BYTES_MAX,
        default_max_response_size: ANSWER_BYTES_MAX,
      }),
  }),
]
