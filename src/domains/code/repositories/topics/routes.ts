/** REST routes of topics. */
import { type Static, Type } from 'typebox'
import { invalid } from '#platform/problem'
import {
  asAnybody,
  noContent,
  ok,
  PageQuery,
  pageFields,
  pageHeaders,
  pageOf,
  type Route,
  routesOf,
  Time,
  time,
} from '#platform/rest'
import { openToAdmin, openToSee } from '../access/open-repository.ts'
import { inRepository, RepositoryPath } from '../schemas.ts'
import type { TopicRow } from '../tables.ts'
import { addTopic, removeTopic, searchTopics, setTopics, TOPIC_LENGTH_MAX } from './topics.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const TopicPath = inRepository({ topic: Type.String() })
/** More than a repository may have, so that duplicates do not cause a refusal. */
const NAMES_MAX = 100

const TopicNames = Type.Object({ topics: Type.Array(Type.String()) }, { title: 'TopicName' })
const TopicOptions = Type.Object(
  { topics: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: NAMES_MAX })) },
  { title: 'RepoTopicOptions' },
)
type Topic = Static<typeof Topic>
const Topic = Type.Object(
  {
    id: Type.Integer(),
    topic_name: Type.String(),
    repo_count: Type.Integer(),
    created: Time,
    updated: Time,
  },
  { title: 'TopicResponse' },
)
const Topics = Type.Object({ topics: Type.Array(Topic) }, { title: 'TopicListResponse' })

export const topicRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/topics',
    operationId: 'repoListTopics',
    summary: "List a repository's topics",
    params: RepositoryPath,
    query: PageQuery,
    answers: { 200: TopicNames },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: async (visit) => {
      const { topics } = visit.opened
      const { offset, limit } = pageOf(visit.ctx, visit.query)
      const headers = pageHeaders(visit, topics.length, false)
      return { ...ok({ topics: topics.slice(offset, offset + limit) }), headers }
    },
  }),
  route({
    method: 'PUT',
    path: '/repos/:owner/:repo/topics',
    operationId: 'repoUpdateTopics',
    summary: "Replace a repository's topics",
    params: RepositoryPath,
    body: TopicOptions,
    answers: { 204: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, body, opened }) => {
      await setTopics(ctx, opened, body.topics ?? [])
      return noContent()
    },
  }),
  route({
    method: 'PUT',
    path: '/repos/:owner/:repo/topics/:topic',
    operationId: 'repoAddTopic',
    summary: 'Add a topic to a repository',
    params: TopicPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, opened }) => {
      await addTopic(ctx, opened, params.topic)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/repos/:owner/:repo/topics/:topic',
    operationId: 'repoDeleteTopic',
    summary: 'Remove a topic from a repository',
    params: TopicPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, opened }) => {
      await removeTopic(ctx, opened, params.topic)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/topics/search',
    operationId: 'topicSearch',
    summary: 'Search for topics',
    query: Type.Object({
      q: Type.Optional(Type.String({ description: 'keyword: part of the topic name' })),
      ...pageFields,
    }),
    answers: { 200: Topics },
    open: asAnybody,
    handle: async (visit) => {
      const { ctx, query } = visit
      const keyword = (query.q ?? '').trim()
      // A longer keyword cannot match any topic, but would still cost a pattern search.
      if (keyword.length > TOPIC_LENGTH_MAX) throw invalid('keyword is too long', { most: TOPIC_LENGTH_MAX })
      const { items, total } = await searchTopics(ctx.db, keyword, pageOf(ctx, query))
      return { ...ok({ topics: items.map(presentTopic) }), headers: pageHeaders(visit, total) }
    },
  }),
]

function presentTopic(topic: TopicRow): Topic {
  return {
    id: topic.id,
    topic_name: topic.name,
    repo_count: topic.repositories,
    created: time(topic.created_at),
    updated: time(topic.updated_at),
  }
}
