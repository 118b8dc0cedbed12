/** Files that browsers and crawlers look for at the root of every site. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { type RawRoute, rawRoute } from '#platform/rest'

/**
 * Pages of a repository may be found; what costs git much, has an endless number of addresses or belongs to one user is
 * left out.
 */
const LEFT_OUT = [
  ...['/api/', '/-/', '/user/', '/admin/', '/notifications', '/search', '/explore/', '/attachments/'],
  ...['blame', 'commits', 'commit', 'compare', 'archive', 'raw', 'media', 'src/commit', 'actions'].map(
    (page) => `/*/*/${page}/`,
  ),
  ...['/*.rss$', '/*.atom$', '/*.patch$', '/*.diff$', '/*?*'],
]
const ROBOTS = ['User-agent: *', ...LEFT_OUT.map((path) => `Disallow: ${path}`), 'Crawl-delay: 2', ''].join(
  '\n',
)
const HOUR = 'public, max-age=3600'
const OWN_ICON = join(import.meta.dirname, 'assets/icon.svg')

/** The address of the site's logo. */
export const LOGO = '/favicon.ico'

export const siteFileRoutes: readonly RawRoute[] = [
  rawRoute({
    method: 'GET',
    path: '/robots.txt',
    operationId: 'webGetRobots',
    scopes: [],
    params: Type.Object({}),
    open: () => ({}),
    handle: async () => ({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': HOUR },
      body: ROBOTS,
    }),
  }),
  rawRoute({
    method: 'GET',
    path: LOGO,
    operationId: 'webGetLogo',
    scopes: [],
    params: Type.Object({}),
    open: () => ({}),
    handle: async ({ ctx }) => {
      const { logo } = ctx.site
      return {
        status: 200,
        // An SVG that is opened by its address runs no scripts.
        headers: {
          'content-type': logo?.type ?? 'image/svg+xml',
          'cache-control': HOUR,
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        },
        body: logo?.bytes ?? readFileSync(OWN_ICON),
      }
    },
  }),
]
