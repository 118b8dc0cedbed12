/** Topics of a repository. Each operation is one transaction: lock, check, change; triggers maintain the counts. */
import { type Context, type TxContext, transact } from '#platform/context'
import { containing, type Db, type Paged, takePage } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { Page } from '#platform/rest'
import type { Administered } from '../access/open-repository.ts'
import { lockRepository, updateRepository } from '../record/store.ts'
import type { TopicRow } from '../tables.ts'

const TOPICS_MAX = 25
export const TOPIC_LENGTH_MAX = 35
const TOPIC = /^[a-z0-9][-.a-z0-9]*$/

export async function setTopics(ctx: Context, repo: Administered, names: readonly string[]): Promise<void> {
  const topics = names.map(asTopic)
  await transact(ctx, async (ctx) => {
    await lockRepository(ctx.db, repo.id)
    await keep(ctx, repo, topics)
  })
}

/** Idempotent. */
export async function addTopic(ctx: Context, repo: Administered, name: string): Promise<void> {
  const topic = asTopic(name)
  await transact(ctx, async (ctx) => {
    const { topics } = await lockRepository(ctx.db, repo.id)
    if (!topics.includes(topic)) await keep(ctx, repo, [...topics, topic])
  })
}

export async function removeTopic(ctx: Context, repo: Administered, name: string): Promise<void> {
  const topic = asTopic(name)
  await transact(ctx, async (ctx) => {
    const { topics } = await lockRepository(ctx.db, repo.id)
    if (!topics.includes(topic)) throw notFound('topic', topic)
    await keep(
      ctx,
      repo,
      topics.filter((it) => it !== topic),
    )
  })
}

/** Stores topics without duplicates, sorted. */
async function keep(ctx: TxContext, repo: Administered, names: readonly string[]): Promise<void> {
  const topics = [...new Set(names)].sort()
  if (topics.length > TOPICS_MAX) throw invalid('exceeding maximum number of topics per repo')
  await updateRepository(ctx.db, repo.id, { topics, updated_at: ctx.now() })
}

function asTopic(name: string): string {
  const topic = name.trim().toLowerCase()
  if (topic.length > TOPIC_LENGTH_MAX || !TOPIC.test(topic)) throw invalid('topic name is invalid', { name })
  return topic
}

/** Topics by a part of their name, the most used first. */
export function searchTopics(db: Db, keyword: string, page: Page): Promise<Paged<TopicRow>> {
  return takePage(selectTopics(db, keyword), page)
}

export function selectTopics(db: Db, keyword: string) {
  const topics = db.selectFrom('topic').selectAll().orderBy('repositories', 'desc').orderBy('id')
  return keyword === '' ? topics : topics.where('name', 'like', containing(keyword.toLowerCase()))
}
