/**
 * Wikis: pages beside a repository, kept in a git storage of their own.
 *
 * Owns    no table: where the wiki of a repository is, its record says
 * Serves  /repos/:owner/:repo/wiki
 * Tells   wiki.changed
 */
export type { WikiEvent } from './events.ts'
export { wikiRoutes } from './routes.ts'
