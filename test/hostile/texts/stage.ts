/** A forge with one object of every kind, so that operations get as far as the text they are sent. */
import assert from 'node:assert/strict'
import type { Client, Json } from '../../audit/kit/client.ts'
import type { Operation } from './document.ts'

const HOOK = { type: 'gitea', config: { url: 'http://127.0.0.1:9/hook', content_type: 'json' } }
const REPO = '/repos/admin/town'
const WORKFLOW =
  'on: [push, workflow_dispatch]\njobs:\n  one:\n    runs-on: x\n    steps:\n      - run: echo\n'
const TEXT = btoa('hello\n')
/** Path parameters that are in no list. */
const REAL: Readonly<Record<string, string>> = {
  ...{ owner: 'admin', repo: 'town', org: 'guild', username: 'ann', collaborator: 'ann', user: 'ann' },
  ...{ template_owner: 'admin', template_repo: 'mold', assignee: 'ann', team: 'Owners', branch: 'main' },
  ...{
    filepath: 'README.md',
    sha: 'main',
    ref: 'main',
    tag: 'v1',
    pageName: 'Home',
    task: 'cleanup_actions',
  },
  ...{ workflow_id: 'run.yml', archive: 'main.zip', basehead: 'main...topic', base: 'main', head: 'topic' },
  ...{ diffType: 'diff', topic: 'iron', type: 'generic', name: 'tool', version: '1.0', repo_name: 'town' },
  ...{
    secretname: 'word',
    variablename: 'word',
    target: 'x',
    token: 'x',
    index: '1',
    position: '1',
    attempt: '1',
  },
}
/** Required texts of bodies; all others are unique names. */
const GIVEN: Readonly<Record<string, unknown>> = {
  ...{
    content: TEXT,
    data: 'data',
    value: 'value',
    image: TEXT,
    color: '#00ff00',
    body: 'body',
    config: HOOK.config,
  },
  ...{
    type: 'gitea',
    head: 'topic',
    base: 'main',
    ref: 'main',
    state: 'success',
    owner: 'admin',
    path: 'new.txt',
  },
  ...{ clone_addr: 'http://127.0.0.1:1/x.git', redirect_uris: 'http://127.0.0.1/', operation: 'create' },
}

export class HostileStage {
  readonly #client: Client
  readonly #as: string
  #names = 0

  constructor(client: Client, token: string) {
    this.#client = client
    this.#as = `token:${token}`
  }

  ask(method: string, path: string, body?: object): Promise<Json> {
    return this.#client.request(method, path, { as: this.#as, ...(body && { body }) })
  }

  /** Creates what is missing: operations rename and delete their objects. */
  async restore(): Promise<void> {
    const isThere = async (path: string) => (await this.ask('GET', path)).status === 200
    if (!(await isThere('/users/ann'))) {
      const body = { username: 'ann', email: `${this.#newName()}@example.test`, password: 'Passw0rd!x' }
      await this.#make('/admin/users', { ...body, must_change_password: false })
    }
    if (!(await isThere('/orgs/guild'))) await this.#makeGuild()
    const { json, status } = await this.ask('GET', REPO)
    if (status !== 200 || json.default_branch !== 'main' || json.archived) await this.#makeTown()
    if (!(await isThere(`${REPO}/wiki/page/Home`)))
      await this.#make(`${REPO}/wiki/new`, { title: 'Home', content_base64: TEXT })
  }

  /** Parameters of an operation's path with existing objects. */
  async resolve({ path }: Operation): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    let at = ''
    for (const part of path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      if (name !== undefined) found[name] = (await this.#findIn(at, name)) ?? REAL[name] ?? '1'
      at += `/${name === undefined ? part : encodeURIComponent(found[name] ?? '')}`
    }
    return found
  }

  /** The value for a field of this name; undefined where any text is accepted. */
  nameFor = (field: string): unknown => {
    if (field in GIVEN) return GIVEN[field]
    if (field === 'email') return `${this.#newName()}@example.test`
    return /name|title|key/.test(field) ? this.#newName() : undefined
  }

  /** The first item of the list that a parameter selects from. */
  async #findIn(list: string, name: string): Promise<string | undefined> {
    if (name in REAL && name !== 'name') return undefined
    const { json } = await this.ask('GET', list)
    const first = Array.isArray(json) ? json[0] : Object.values(json ?? {}).find(Array.isArray)?.[0]
    const id = first?.[name === 'name' ? 'name' : 'id']
    return id === undefined ? undefined : String(id)
  }

  async #makeGuild(): Promise<void> {
    await this.#make('/orgs', { username: 'guild' })
    await this.#make('/orgs/guild/hooks', HOOK)
    await this.#make('/orgs/guild/labels', { name: 'ore', color: '#00ff00' })
    await this.#make('/orgs/guild/projects', { title: 'board', template_type: 'basic_kanban' })
  }

  async #makeTown(): Promise<void> {
    // Not deleted: jobs of its last push may still read it.
    await this.ask('PATCH', REPO, { name: this.#newName() })
    await this.#make('/user/repos', { name: 'town', auto_init: true, default_branch: 'main' })
    const file = (path: string, text: string, more = {}) =>
      this.#make(`${REPO}/contents/${path}`, { content: btoa(text), message: 'm', ...more })
    await file('.gitea/workflows/run.yml', WORKFLOW)
    await file('new', 'text', { new_branch: 'topic' })
    await this.#make(`${REPO}/issues`, { title: 'one' })
    await this.#make(`${REPO}/pulls`, { title: 'two', head: 'topic', base: 'main' })
    await this.#make(`${REPO}/pulls/2/reviews`, {
      body: 'text',
      event: 'COMMENT',
      comments: [{ path: 'new', body: 'c', new_position: 1 }],
    })
    await this.#make(`${REPO}/issues/1/comments`, { body: 'text' })
    await this.#make(`${REPO}/issues/1/times`, { time: 60 })
    await this.#make(`${REPO}/labels`, { name: 'ore', color: '#00ff00' })
    await this.#make(`${REPO}/milestones`, { title: 'one' })
    await this.#make(`${REPO}/releases`, { tag_name: 'v1' })
    await this.#make(`${REPO}/hooks`, HOOK)
    await this.#make(`${REPO}/projects`, { title: 'board', template_type: 'basic_kanban' })
    await this.#make(`${REPO}/branch_protections`, { rule_name: 'safe' })
    await this.#make(`${REPO}/tag_protections`, { name_pattern: 'safe', whitelist_usernames: ['ann'] })
    await this.#make(`${REPO}/actions/variables/word`, { value: 'x' })
  }

  /** Objects that belong to the caller or the instance, or that no operation changes. */
  async prepare(): Promise<void> {
    await this.#make('/user/repos', { name: 'mold', auto_init: true, template: true })
    await this.#make('/admin/hooks', HOOK)
    await this.#make('/user/hooks', HOOK)
    await this.#make('/user/projects', { title: 'board', template_type: 'basic_kanban' })
    await this.#make('/user/applications/oauth2', { name: 'app', redirect_uris: ['http://127.0.0.1/'] })
    await this.restore()
  }

  async #make(path: string, body: object): Promise<void> {
    const { status, line } = await this.ask('POST', path, body)
    assert.ok(status < 300, line)
  }

  #newName(): string {
    return `name-${this.#names++}`
  }
}
