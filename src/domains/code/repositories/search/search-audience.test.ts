/** The trigger-maintained columns of search: `repository.audience`, tallies and topic counts. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, type Reply, startForge, waitForLock } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.person('bob')
  for (const username of ['forge1', 'forge2']) await forge.call('ann', 'POST', '/orgs', { username })
})
after(() => forge[Symbol.asyncDispose]())

const make = (name: string, body: object = {}) =>
  forge.call('ann', 'POST', '/orgs/forge1/repos', { name, ...body })
const show = (visibility: string) => forge.call('ann', 'PATCH', '/orgs/forge1', { visibility })

async function assertCounted(): Promise<void> {
  const wrong =
    await sql`select repository.id from repository join account on account.id = repository.owner_id
    where repository.audience is distinct from
      case when repository.is_private then 'private' else account.visibility end`.execute(forge.db)
  assert.deepEqual(wrong.rows, [], 'the audience of each is that of its owner, or private')
  const tallies = await sql`
    select coalesce(kept.audience, real.audience) as audience, kept.n as kept, real.n as real
    from (select audience, sum(repositories) as n from repository_tally group by 1) as kept
    full join (select audience, count(*) as n from repository group by 1) as real using (audience)
    where coalesce(kept.n, 0) <> coalesce(real.n, 0)`.execute(forge.db)
  assert.deepEqual(tallies.rows, [], 'the tally is what counting would find')
  const topics = await sql`select topic.name from topic
    where repositories <> (select count(*) from repository
      where topics @> array[topic.name] and audience = 'public')
    union all select distinct named.name from repository, unnest(topics) as named (name)
    where audience = 'public' and not exists (select from topic where topic.name = named.name)`.execute(
    forge.db,
  )
  assert.deepEqual(topics.rows, [], 'a topic knows its repositories, as far as everybody does')
}

const audienceOf = async (name: string) =>
  (
    await forge.db
      .selectFrom('repository')
      .select('audience')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).audience

test('the audience follows changes of the repository and of its owner', async () => {
  await make('anvil')
  assert.equal(await audienceOf('anvil'), 'public')
  await show('limited')
  assert.equal(await audienceOf('anvil'), 'limited')
  await forge.call('ann', 'PATCH', '/repos/forge1/anvil', { private: true })
  assert.equal(await audienceOf('anvil'), 'private')
  await show('public')
  assert.equal(await audienceOf('anvil'), 'private', 'what is private itself stays so')
  await forge.call('ann', 'PATCH', '/repos/forge1/anvil', { private: false })
  assert.equal(await audienceOf('anvil'), 'public')
  await assertCounted()
})

test('the audience follows a transfer to a new owner', async () => {
  await show('private')
  await make('hammer', { private: false })
  await sql`update repository set owner_id = (select id from account where login = 'forge2')
    where name = 'hammer'`.execute(forge.db)
  assert.equal(await audienceOf('hammer'), 'public')
  await assertCounted()
  await show('public')
})

test('topics are counted when they are set and when their repository is deleted', async () => {
  await make('bellows')
  await forge.call('ann', 'PUT', '/repos/forge1/bellows/topics', { topics: ['air', 'fire'] })
  await forge.call('ann', 'PUT', '/repos/forge1/bellows/topics', { topics: ['air', 'leather'] })
  await assertCounted()
  await forge.call('ann', 'DELETE', '/repos/forge1/bellows')
  await assertCounted()
  const found = await forge.call(null, 'GET', '/topics/search?q=air')
  assert.equal(found.body.topics[0].repo_count, 0)
})

test('concurrent creations, edits, deletions and owner changes keep all counts right', async () => {
  const chosen = ['public', 'limited', 'private']
  for (let round = 0; round < 6; round++) {
    const calls: Promise<Reply>[] = []
    for (let i = 0; i < 4; i++) {
      const name = `r${round}-${i}`
      calls.push(
        make(name, { private: i % 2 === 0 }).then(async () => {
          const changed = forge.call('ann', 'PATCH', `/repos/forge1/${name}`, { private: i % 2 === 1 })
          await forge.call('ann', 'PUT', `/repos/forge1/${name}/topics/common`)
          await changed
          return i === 3 ? forge.call('ann', 'DELETE', `/repos/forge1/${name}`) : changed
        }),
      )
    }
    calls.push(show(chosen[round % 3] ?? 'public'), show(chosen[(round + 1) % 3] ?? 'public'))
    for (const reply of await Promise.all(calls)) assert.ok(reply.status < 300, `${reply.status}`)
    await assertCounted()
  }
})

test('a repository created while its owner becomes private is private, too', async () => {
  await show('public')
  await forge.db.transaction().execute(async (tx) => {
    await sql`update account set visibility = 'private' where login = 'forge1'`.execute(tx)
    const made = make('secret')
    await waitForLock(forge.db)
    return { made }
  })
  while ((await forge.call('ann', 'GET', '/repos/forge1/secret')).status !== 200) await pause()
  assert.equal(await audienceOf('secret'), 'private')
  await assertCounted()
})

test('an owner who becomes private waits for a repository that is being created', async () => {
  await show('public')
  const owner = await forge.db
    .selectFrom('account')
    .select('id')
    .where('login', '=', 'forge1')
    .executeTakeFirstOrThrow()
  let hidden: Promise<Reply> | undefined
  await forge.db.transaction().execute(async (tx) => {
    await sql`with storage as (insert into git_storage (object_format, head, created_at)
        values ('sha1', 'refs/heads/main', now()) returning id)
      insert into repository (owner_id, storage_id, name, name_key, created_at, updated_at)
      select ${owner.id}, id, 'slow', 'slow', now(), now() from storage`.execute(tx)
    hidden = show('private')
    await waitForLock(forge.db)
  })
  assert.equal((await hidden)?.status, 200)
  assert.equal(await audienceOf('slow'), 'private')
  await assertCounted()
})

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
