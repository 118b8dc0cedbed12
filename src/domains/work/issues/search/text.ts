/**
 * Text search in titles, bodies and comments. Returns conditions on issue ids, so that another engine could replace
 * PostgreSQL's trigrams.
 */
import { type RawBuilder, sql } from 'kysely'
import { CUSTOM_PLAN, containing, type Db } from '#platform/db'

const WORDS_MAX = 8
/** The shortest word that a trigram index supports. */
const INDEXED_LETTERS_MIN = 3
/** With more matches, scanning the latest issues is faster than the index. */
const MATCHES_MAX = 10_000

const TEXT = sql`lower(issue.title || E'\n' || issue.body)`
const COMMENT = sql`lower(issue_comment.body)`

/** Substrings that must all occur in the same text. */
export function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, WORDS_MAX)
}

/** A condition on `issue`. A numeric text also matches the issue number. */
export async function loadSays(db: Db, text: string): Promise<RawBuilder<boolean>> {
  const said = await loadWords(db, wordsIn(text))
  return /^\d{1,9}$/.test(text) ? sql<boolean>`(issue.number = ${Number(text)} or ${said})` : said
}

/** A condition on `issue`: a text mentions the user with `@login` as a whole word. */
export async function loadMentions(db: Db, login: string): Promise<RawBuilder<boolean>> {
  const pattern = `(^|[[:space:]([])@${login.replaceAll('.', '\\.')}($|[^[:alnum:]_.-])`
  const said = await loadWords(db, [`@${login.toLowerCase()}`])
  return sql<boolean>`(${said} and ${anyText((text) => sql<boolean>`${text} ~* ${pattern}`)})`
}

async function loadWords(db: Db, words: readonly string[]): Promise<RawBuilder<boolean>> {
  const ids = words.some((word) => word.length >= INDEXED_LETTERS_MIN) ? await find(db, words) : undefined
  if (ids !== undefined) return sql<boolean>`issue.id = any(${ids}::bigint[])`
  return anyText((text) => hasAll(text, words))
}

/** undefined if there are too many matches. */
async function find(db: Db, words: readonly string[]): Promise<number[] | undefined> {
  const { rows } = await selectSaying(words).execute(db)
  return rows.length > MATCHES_MAX ? undefined : [...new Set(rows.map(({ id }) => id))]
}

/**
 * Custom plan: selectivity depends on the word. An issue is found once for each text: to tell them apart PostgreSQL would
 * read all matches of a frequent word (24,689 pages of a million issues) before it reaches the limit (245 pages).
 */
export function selectSaying(words: readonly string[]): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`select issue.id from issue where ${hasAll(TEXT, words)}
    union all select issue_comment.issue_id from issue_comment
      where issue_comment.kind = 'comment' and ${hasAll(COMMENT, words)}
    limit ${MATCHES_MAX + 1} ${CUSTOM_PLAN}`
}

function hasAll(text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(
    words.map((word) => sql`${text} like ${containing(word)}`),
    sql` and `,
  )}`
}

function anyText(test: (text: RawBuilder<unknown>) => RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`(${test(TEXT)} or exists (select 1 from issue_comment
    where issue_comment.issue_id = issue.id and issue_comment.kind = 'comment' and ${test(COMMENT)}))`
}
