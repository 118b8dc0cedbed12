/** Conditions that find users by a part of their name or email address, using the trigram indexes. */
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '#platform/context'
import { containing, type Tables } from '#platform/db'
import { invalid } from '#platform/problem'

/** Longer than any name or email address. */
const KEYWORD_MAX = 255

/** Normalizes a search keyword. */
export function keywordOf(text: string | undefined): string {
  const keyword = (text ?? '').trim().toLowerCase()
  if (keyword.length > KEYWORD_MAX) throw invalid('keyword is too long', { most: KEYWORD_MAX })
  return keyword
}

/** A part of the login, the full name, or an email address that the caller may see, so that a search reveals no more. */
export function matches(keyword: string, actor: Actor | null): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'account'>()
  const parts = [partOfName(keyword)]
  if (actor !== null) {
    const inAddress = sql<SqlBool>`lower(account.email) like ${containing(keyword)}`
    const isShown = eb.or([eb('account.hides_email', '=', false), eb('account.id', '=', actor.id)])
    parts.push(actor.isAdmin ? inAddress : eb.and([inAddress, isShown]))
  }
  return eb.and([somewhere(keyword), eb.or(parts)])
}

/** A part of the login or the full name. */
export function matchesName(keyword: string): Expression<SqlBool> {
  return expressionBuilder<Tables, 'account'>().and([somewhere(keyword), partOfName(keyword)])
}

/** The expression of the index `account_search`: a superset of the matches. */
function somewhere(keyword: string): Expression<SqlBool> {
  return sql<SqlBool>`(account.login_key || ' ' || lower(account.full_name) || ' ' || lower(account.email))
    like ${containing(keyword)}`
}

function partOfName(keyword: string): Expression<SqlBool> {
  return sql<SqlBool>`(account.login_key like ${containing(keyword)}
    or lower(account.full_name) like ${containing(keyword)})`
}
