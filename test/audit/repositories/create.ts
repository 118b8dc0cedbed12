/** Demands on creating a repository in an organization. */
import { type Audit, until } from '../kit/audit.ts'
import { type Json, type RequestOptions, sending } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import { fieldsOf } from '../kit/models.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isJson, isRefused } from '../kit/verdicts.ts'

const CREATE = 'POST /orgs/{org}/repos'
const TRUST_MODELS = ['default', 'collaborator', 'committer', 'collaboratorcommitter']
const WRONG_TYPES = {
  name: 7,
  auto_init: 'yes',
  default_branch: [],
  description: 5,
  gitignores: [],
  issue_labels: 3,
  license: {},
  object_format_name: 1,
  private: 'true',
  readme: 1,
  template: 1,
  trust_model: [],
}
const NO_NAMES = ['', ' ', 'a b', 'ü', '..', '.', 'a..b', 'x'.repeat(101), 'a/b', '🙂', 'x.git', 'x.wiki']
const UNKNOWN_WORDS = [
  { default_branch: 'a b' },
  { default_branch: '..' },
  { object_format_name: 'md5' },
  { issue_labels: 'Nope' },
  { license: 'Nope', auto_init: true },
  { gitignores: 'Nope', auto_init: true },
]
const EVERYTHING = {
  name: 'r2',
  auto_init: true,
  default_branch: 'trunk',
  description: 'Ünïcode 🙂',
  gitignores: 'Go',
  issue_labels: 'Default',
  license: 'MIT',
  object_format_name: 'sha1',
  private: true,
  readme: 'Default',
  template: true,
  trust_model: 'collaborator',
}

export async function askAboutCreating(audit: Audit, stage: Stage): Promise<void> {
  await askAboutSuccess(audit, stage)
  await askAboutRefusals(audit, stage)
}

function creatorOf({ call }: Audit, { alice, org }: Stage) {
  return (body: unknown, asking: RequestOptions = {}) =>
    call(CREATE, 'POST', `/orgs/${asking.at ?? org}/repos`, sending(alice, asking, body))
}

async function askAboutSuccess(audit: Audit, stage: Stage): Promise<void> {
  const { demand, request } = audit
  const { alice, org } = stage
  const create = creatorOf(audit, stage)
  const read = async (path: string) => (await request('GET', `/repos/${org}/${path}`, { as: alice })).json
  await demand(CREATE, 'A new repository is answered with every field.', async () => {
    const answer = await create({ name: 'r1' })
    return allOf(hasStatus(answer, 201), isJson(answer), fits('Repository', answer.json))
  })
  await demand(CREATE, 'The answer leaves no field out, also where there is nothing to say.', async () => {
    const { json } = await create({ name: 'r1b' })
    const missing = Object.keys(fieldsOf('Repository') ?? {}).filter((name) => !(name in json))
    return equals(missing, [])
  })
  await demand(CREATE, 'All optional fields work together.', async () => {
    const answer = await create(EVERYTHING)
    const files = (await read('r2/contents')).map((it: Json) => it.name)
    const labels = await read('r2/labels')
    const { default_branch, description, template, empty, object_format_name, ...rest } = answer.json
    return allOf(
      hasStatus(answer, 201),
      equals([default_branch, description, object_format_name], ['trunk', 'Ünïcode 🙂', 'sha1']),
      equals([rest.private, template, empty], [true, true, false]),
      holds(
        ['.gitignore', 'LICENSE', 'README.md'].every((it) => files.includes(it)),
        `it has ${files}`,
      ),
      holds(labels.length > 0, 'there are no labels'),
    )
  })
  await demand(CREATE, 'licenses names the licence that the repository was made with.', async () =>
    holds(await until(async () => (await read('r2')).licenses.length > 0), 'licenses stays empty'),
  )
  await demand(CREATE, 'object_format_name makes a repository with SHA-256.', async () => {
    const answer = await create({ name: 'r256', object_format_name: 'sha256', auto_init: true })
    const commits = await read('r256/commits')
    return allOf(
      hasStatus(answer, 201),
      equals([answer.json.object_format_name, commits[0]?.sha.length], ['sha256', 64]),
    )
  })
  await demand(CREATE, 'An empty object_format_name means sha1.', async () => {
    const answer = await create({ name: 'rempty', object_format_name: '' })
    return allOf(hasStatus(answer, 201), equals(answer.json.object_format_name, 'sha1'))
  })
  for (const trust_model of TRUST_MODELS)
    await demand(CREATE, `The trust model ${trust_model} is accepted.`, async () =>
      hasStatus(await create({ name: `tm-${trust_model}`, trust_model }), 201),
    )
  await demand(CREATE, 'Unknown fields are ignored.', async () =>
    hasStatus(await create({ name: 'unk', zzz: { a: [1] } }), 201),
  )
  await demand(CREATE, 'null is the same as an absent field.', async () => {
    const absent = { description: null, auto_init: null, private: null, license: null }
    return hasStatus(await create({ name: 'nul', ...absent }), 201)
  })
  await demand(CREATE, 'Of ten callers who want one name at once, exactly one gets it.', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'race' })))
    const made = answers.filter((it) => it.status === 201)
    const lost = answers.filter((it) => it.status === 409)
    return equals([made.length, lost.length], [1, 9])
  })
}

async function askAboutRefusals(audit: Audit, stage: Stage): Promise<void> {
  const { demand } = audit
  const { alice, bob, carol } = stage
  const create = creatorOf(audit, stage)
  await demand(CREATE, 'An unknown trust model is refused with 400.', async () => {
    const answer = await create({ name: 'tmx', trust_model: 'zzz' })
    return allOf(hasStatus(answer, 400), hasErrorShape(answer))
  })
  await demand(CREATE, 'A repository without a name is refused.', async () =>
    isRefused(await create({ description: 'x' })),
  )
  await demand(CREATE, 'A missing name is refused with the listed kind 400.', async () =>
    hasStatus(await create({ description: 'x' }), 400),
  )
  await demand(CREATE, 'A name that is taken in another case is refused.', async () =>
    isRefused(await create({ name: 'R1' })),
  )
  await demand(CREATE, 'A name that is taken is refused with a listed kind.', async () =>
    hasStatus(await create({ name: 'r1' }), 400, 403, 404),
  )
  await demand(CREATE, 'An unknown readme is refused with 400.', async () => {
    const answer = await create({ name: 'r400', auto_init: true, readme: 'NoSuchReadme' })
    return allOf(hasStatus(answer, 400), hasErrorShape(answer))
  })
  for (const [who, as] of [
    ['A member who may not create repositories', bob],
    ['A stranger', carol],
  ] as const)
    await demand(CREATE, `${who} is forbidden.`, async () => {
      const answer = await create({ name: 'x' }, { as })
      return allOf(hasStatus(answer, 403), hasErrorShape(answer))
    })
  for (const [what, at] of [
    ['An unknown organization', 'no-such-org-zz'],
    ['The name of a user', alice],
  ] as const)
    await demand(CREATE, `${what} is not found.`, async () => {
      const answer = await create({ name: 'x' }, { at })
      return allOf(hasStatus(answer, 404), hasErrorShape(answer))
    })
  await demand(CREATE, 'A caller without credentials is unauthorized.', async () => {
    const answer = await create({ name: 'x' }, { as: null })
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
  for (const [name, value] of Object.entries(WRONG_TYPES))
    await demand(CREATE, `A wrong type of ${name} is refused with message and url.`, async () => {
      const answer = await create({ name: `w-${name}`, [name]: value })
      return allOf(hasStatus(answer, 400), hasErrorShape(answer))
    })
  await demand(CREATE, 'Names that no repository can have are refused.', () =>
    each(NO_NAMES, async (name) => {
      const answer = await create({ name })
      return allOf(hasStatus(answer, 400), hasErrorShape(answer))
    }),
  )
  await demand(CREATE, 'Unknown branches, formats, labels, licences and gitignores are refused.', () =>
    each(UNKNOWN_WORDS, async (word) => {
      const answer = await create({ name: 'bad1', ...word })
      return allOf(hasStatus(answer, 400), hasErrorShape(answer))
    }),
  )
  await demand(CREATE, 'A body that is no JSON object is refused.', () =>
    each(['{', '[]', '"x"', 'null', ''], async (raw) => {
      const answer = await create(null, { raw })
      return allOf(hasStatus(answer, 400), hasErrorShape(answer))
    }),
  )
}
