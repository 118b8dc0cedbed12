/** Feeds as XML: Atom and RSS of the same entries. Pure. */
import { escapeText } from '#platform/page'

export interface FeedEntry {
  /** Unique among entries with the same link. */
  readonly id: number | string
  readonly title: string
  /** Absolute URL. */
  readonly link: string
  readonly when: Date
  readonly author: string
  readonly text: string
}

export interface Feed {
  readonly title: string
  readonly link: string
  /** Address of the feed itself. */
  readonly self: string
  readonly updated: Date
  readonly entries: readonly FeedEntry[]
}

const ATOM = 'application/atom+xml; charset=utf-8'
const RSS = 'application/rss+xml; charset=utf-8'
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write these
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

export function writeFeed(
  kind: 'atom' | 'rss',
  feed: Feed,
): { readonly type: string; readonly text: string } {
  return kind === 'atom' ? { type: ATOM, text: atomOf(feed) } : { type: RSS, text: rssOf(feed) }
}

function atomOf({ title, link, self, updated, entries }: Feed): string {
  const entry = (it: FeedEntry) =>
    `<entry><title>${safe(it.title)}</title><id>${safe(it.link)}#${it.id}</id><updated>${it.when.toISOString()}</updated>` +
    `<link href="${safe(it.link)}"/><author><name>${safe(it.author)}</name></author><content type="text">${safe(it.text)}</content></entry>\n`
  return (
    `${HEAD}<feed xmlns="http://www.w3.org/2005/Atom"><title>${safe(title)}</title><id>${safe(self)}</id><updated>${updated.toISOString()}</updated>` +
    `<link href="${safe(link)}"/><link rel="self" href="${safe(self)}"/>\n${entries.map(entry).join('')}</feed>\n`
  )
}

function rssOf({ title, link, self, updated, entries }: Feed): string {
  const item = (it: FeedEntry) =>
    `<item><title>${safe(it.title)}</title><link>${safe(it.link)}</link><guid isPermaLink="false">${safe(it.link)}#${it.id}</guid>` +
    `<pubDate>${it.when.toUTCString()}</pubDate><dc:creator>${safe(it.author)}</dc:creator><description>${safe(it.text)}</description></item>\n`
  return (
    `${HEAD}<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${safe(title)}</title>` +
    `<link>${safe(link)}</link><description>${safe(title)}</description><atom:link rel="self" href="${safe(self)}"/><lastBuildDate>${updated.toUTCString()}</lastBuildDate>\n` +
    `${entries.map(item).join('')}</channel></rss>\n`
  )
}

function safe(text: string): string {
  return escapeText(text.replaceAll(UNWRITABLE, '').toWellFormed())
}
