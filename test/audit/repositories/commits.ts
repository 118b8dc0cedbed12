/** Questions about the list of commits. */
import type { Audit } from '../kit/audit.ts'
import type { Answer, Json, RequestOptions } from '../kit/client.ts'
import { fitsAll } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, equals, hasErrorShape, hasStatus, holds } from '../kit/verdicts.ts'

const LIST = 'GET /repos/{owner}/{repo}/commits'
const LONG_AGO = '2001-01-01T00:00:00Z'
const FAR_AHEAD = '2999-01-01T00:00:00Z'

type List = (query?: string, asking?: RequestOptions) => Promise<Answer>

const titlesIn = ({ json }: Answer): string[] => json.map((it: Json) => it.commit.message.trim())

/** Six commits on `main`, and one more on `side`. */
export async function makeHistory(
  { request, must }: Audit,
  { alice, makeRepo, addFile }: Stage,
): Promise<void> {
  const place = `${alice}/log`
  await makeRepo(alice, 'log')
  await addFile(place, 'a.txt', 'a\n', alice)
  await addFile(place, 'dir/b.txt', 'b\nb\n', alice)
  await addFile(place, 'dir/c.txt', 'c\n', alice)
  const change = async (method: string, path: string, facts: object) => {
    const file = `/repos/${place}/contents/${path}`
    const { sha } = (await request('GET', file, { as: alice })).json
    await must(request(method, file, { as: alice, body: { sha, ...facts } }))
  }
  await change('PUT', 'a.txt', { content: 'YQpiCg==', message: 'change a' })
  await change('DELETE', 'dir/b.txt', { message: 'drop b' })
  await addFile(place, 'side.txt', 's', alice, { branch: 'main', new_branch: 'side' })
}

export async function askAboutCommits(audit: Audit, stage: Stage): Promise<void> {
  const { call } = audit
  const { alice } = stage
  const list: List = (query = '', asking = {}) =>
    call(LIST, 'GET', `/repos/${asking.at ?? `${alice}/log`}/commits${query}`, { as: alice, ...asking })
  await askAboutContents(audit, alice, list)
  await askAboutSelection(audit, list)
  await askAboutPages(audit, list)
  await askAboutRefusals(audit, alice, list)
}

async function askAboutContents({ demand }: Audit, alice: string, list: List): Promise<void> {
  await demand(LIST, 'The list holds commits with every field.', async () => {
    const answer = await list()
    return allOf(hasStatus(answer, 200), fitsAll('RepoCommit', answer.json), equals(answer.json.length, 6))
  })
  await demand(LIST, 'The newest commit comes first, with its author and message.', async () => {
    const answer = await list()
    const [{ author, commit }] = answer.json
    return allOf(
      equals([titlesIn(answer)[0], author.login], ['drop b', alice]),
      holds(commit.author.name.length > 0, 'the author has no name'),
    )
  })
  await demand(LIST, 'Files are added, modified or deleted.', async () => {
    const { json } = await list()
    const files = json
      .slice(0, 3)
      .map((it: Json) => it.files.map((file: Json) => `${file.filename} ${file.status}`))
    return equals(files, [['dir/b.txt deleted'], ['a.txt modified'], ['dir/c.txt added']])
  })
  await demand(LIST, 'stats count added and deleted lines and their sum.', async () => {
    const { additions, deletions, total } = (await list()).json[0].stats
    return equals([additions, deletions, total], [0, 2, 2])
  })
  await demand(LIST, 'stat, verification and files leave their parts out when they are false.', async () => {
    const [{ stats, commit, files }] = (await list('?stat=false&verification=false&files=false&limit=1')).json
    return allOf(
      holds(!stats, 'stats are there'),
      holds(!commit.verification, 'the verification is there'),
      holds(!files || files.length === 0, 'files are there'),
    )
  })
  await demand(LIST, 'Parents and the tree have created, sha and url.', async () => {
    const [{ parents, commit }] = (await list('?limit=1')).json
    const areWhole = [parents[0], commit.tree].every((it) => 'created' in it && it.sha && it.url)
    return holds(areWhole, JSON.stringify([parents[0], commit.tree]))
  })
}

async function askAboutSelection({ demand }: Audit, list: List): Promise<void> {
  await demand(LIST, 'sha starts the list at a branch or a commit.', async () => {
    const branch = await list('?sha=side')
    const { sha } = (await list()).json[2]
    const commit = await list(`?sha=${sha}`)
    return equals([titlesIn(branch)[0], commit.json[0].sha, commit.json.length], ['add side.txt', sha, 4])
  })
  await demand(LIST, 'path selects the commits of a file or directory.', async () => {
    const [file, folder, nothing] = [
      await list('?path=a.txt'),
      await list('?path=dir'),
      await list('?path=none.txt'),
    ]
    const isEmpty = nothing.status === 200 ? nothing.json.length === 0 : nothing.status === 404
    return allOf(
      equals(titlesIn(file), ['change a', 'add a.txt']),
      equals(folder.json.length, 3),
      holds(isEmpty, `an unknown path gives ${nothing.status}`),
    )
  })
  await demand(LIST, 'limit is ignored when path is used.', async () =>
    equals((await list('?path=dir&limit=1')).json.length, 3),
  )
  await demand(LIST, 'since and until select by time.', async () => {
    const late = await list(`?since=${FAR_AHEAD}`)
    const early = await list(`?until=${LONG_AGO}`)
    const all = await list(`?since=${LONG_AGO}&until=${FAR_AHEAD}`)
    return equals([late.json.length, early.json.length, all.json.length], [0, 0, 6])
  })
  await demand(LIST, 'since and until take a date without a time of day.', async () => {
    const [since, until] = [await list('?since=2001-01-01'), await list('?until=2001-01-01')]
    return allOf(
      hasStatus(since, 200),
      hasStatus(until, 200),
      equals([since.json?.length, until.json?.length], [6, 0]),
    )
  })
  await demand(LIST, 'since and until take times without seconds and with an offset.', async () => {
    const since = await list('?since=2001-01-01T00:00Z')
    const until = await list(`?until=${encodeURIComponent('2001-01-01T00:00:00+02:00')}`)
    return equals([since.json?.length, until.json?.length], [6, 0])
  })
  await demand(LIST, 'A time that cannot be read is refused with 422.', async () => {
    const answer = await list('?since=yesterdayish')
    return allOf(hasStatus(answer, 422), hasErrorShape(answer))
  })
  await demand(LIST, 'not excludes the commits of a specifier.', async () =>
    equals(titlesIn(await list('?sha=side&not=main')), ['add side.txt']),
  )
}

async function askAboutPages({ demand }: Audit, list: List): Promise<void> {
  await demand(
    LIST,
    'Headers tell of further pages, the page, their number, their size and the sum.',
    async () => {
      const answer = await list('?limit=2&page=2')
      const names = ['x-hasmore', 'x-page', 'x-pagecount', 'x-perpage', 'x-total']
      const values = names.map((name) => answer.headers[name])
      const last = await list('?limit=2&page=3')
      return allOf(
        equals(values, ['true', '2', '3', '2', '6']),
        equals([answer.json.length, last.headers['x-hasmore']], [2, 'false']),
      )
    },
  )
  await demand(LIST, 'A page beyond the end is empty or not found.', async () => {
    const answer = await list('?page=99')
    return answer.status === 200 ? equals(answer.json, []) : hasStatus(answer, 404)
  })
}

async function askAboutRefusals({ demand }: Audit, alice: string, list: List): Promise<void> {
  await demand(LIST, 'An unknown start is not found.', async () => {
    const answer = await list('?sha=nope')
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(LIST, 'A repository without commits is refused with message and url.', async () => {
    const { status, json, text } = await list('', { at: `${alice}/void` })
    const isObject = typeof json?.message === 'string' && typeof json?.url === 'string'
    return allOf(equals(status, 409), holds(isObject, `the body is ${JSON.stringify(text)}`))
  })
  await demand(LIST, 'An unknown and a hidden repository are not found.', async () => {
    const unknown = await list('', { at: `${alice}/nope` })
    const hidden = await list('', { at: `${alice}/hidden`, as: null })
    return allOf(
      hasStatus(unknown, 404),
      hasErrorShape(unknown),
      hasStatus(hidden, 404),
      hasErrorShape(hidden),
    )
  })
  await demand(LIST, 'Anybody reads the commits of a public repository.', async () =>
    hasStatus(await list('', { as: null }), 200),
  )
}
