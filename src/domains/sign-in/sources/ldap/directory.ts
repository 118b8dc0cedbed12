/** Questions to a directory: who has a name, who has a subject, which groups they are in, and whether a password is theirs. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Client, Entry } from 'ldapts'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { GROUPS_MAX, groupsOf, type Profile, SUBJECT_MAX, textOf } from '../profile.ts'
import type { LdapSettings } from '../records/schemas.ts'
import { secretOf } from '../records/sources.ts'
import type { SourceOf } from '../tables.ts'
import { connectTo } from './connect.ts'
import { binary, fill } from './filter.ts'

type Directory = SourceOf<'ldap'>

/** An entry of a person, and the profile that it makes. */
export interface Person {
  readonly dn: string
  readonly profile: Profile
}

/** Opens a connection that is bound as the forge, and closes it afterwards. */
export async function withDirectory<T>(
  ctx: Context,
  source: Directory,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { bind_dn } = source.settings
  return withClient(ctx, source.settings, async (client) => {
    // Some directories are read without a name.
    if (bind_dn !== '') await client.bind(bind_dn, secretOf(ctx, source))
    return work(client)
  })
}

/** The one person with this name; undefined if there is none, or more than one. */
export function findByName(client: Client, source: Directory, name: string): Promise<Person | undefined> {
  return findOne(client, source, fill(source.settings.user_filter, name))
}

/** `several` for a mistake of the directory, which says nothing about the person. */
export async function findBySubject(
  client: Client,
  source: Directory,
  subject: string,
): Promise<Person | 'several' | undefined> {
  const { user_filter, subject_attribute } = source.settings
  const anybody = user_filter.replaceAll('%s', '*')
  const bytes = isGuid(source) ? Buffer.from(subject, 'hex') : Buffer.from(subject)
  const entries = await search(client, source, `(&${anybody}(${subject_attribute}=${binary(bytes)}))`)
  if (entries.length > 1) return 'several'
  const [entry] = entries
  return entry && (await personOf(client, source, entry))
}

/** On a connection of its own. Without a person another bind takes the same time. */
export async function isPasswordOf(
  ctx: Context,
  { settings }: Directory,
  person: Person | undefined,
  password: string,
): Promise<boolean> {
  // Compat: with an empty password a directory answers that an anonymous bind succeeded (RFC 4513, section 5.1.2).
  if (password === '') return false
  const dn = person?.dn ?? `cn=${randomBytes(8).toString('hex')},${settings.base_dn}`
  const { ResultCodeError } = await import('ldapts')
  return withClient(ctx, settings, async (client) => {
    try {
      await client.bind(dn, password)
      return person !== undefined
    } catch (error) {
      if (error instanceof ResultCodeError) return false
      throw error
    }
  })
}

async function findOne(client: Client, source: Directory, filter: string): Promise<Person | undefined> {
  const [entry, ...others] = await search(client, source, filter)
  return entry === undefined || others.length > 0 ? undefined : personOf(client, source, entry)
}

/** References to other directories are in the answer apart from the entries, and are not followed. */
async function search(client: Client, { settings }: Directory, filter: string): Promise<Entry[]> {
  const { subject_attribute, username_attribute, name_attribute, email_attribute } = settings
  const { searchEntries } = await client.search(settings.base_dn, {
    scope: 'sub',
    derefAliases: 'never',
    filter,
    sizeLimit: 2,
    attributes: [subject_attribute, username_attribute, name_attribute, email_attribute],
    explicitBufferAttributes: [subject_attribute],
  })
  return searchEntries
}

async function personOf(client: Client, source: Directory, entry: Entry): Promise<Person> {
  const { settings } = source
  return {
    dn: entry.dn,
    profile: {
      subject: subjectOf(source, entry),
      login: firstOf(entry, settings.username_attribute),
      fullName: firstOf(entry, settings.name_attribute),
      // The directory is the authority on its own addresses.
      email: firstOf(entry, settings.email_attribute) || null,
      groups: settings.group_base_dn === '' ? null : await listGroups(client, source, entry.dn),
    },
  }
}

async function listGroups(client: Client, { settings }: Directory, dn: string): Promise<readonly string[]> {
  const { searchEntries } = await client.search(settings.group_base_dn, {
    scope: 'sub',
    derefAliases: 'never',
    filter: fill(settings.group_filter, dn),
    sizeLimit: GROUPS_MAX + 1,
    attributes: [settings.group_name_attribute],
  })
  const names = searchEntries.map((entry) => firstOf(entry, settings.group_name_attribute))
  const groups = groupsOf(names)
  if (groups === undefined || groups === null) throw invalid(`a user may have at most ${GROUPS_MAX} groups`)
  return groups
}

function subjectOf(source: Directory, entry: Entry): string {
  const value = attributeOf(entry, source.settings.subject_attribute)
  const bytes = Array.isArray(value) ? (value.length === 1 ? value[0] : undefined) : value
  const text = bytes === undefined ? '' : Buffer.from(bytes).toString(isGuid(source) ? 'hex' : 'utf8')
  if (text === '' || text.length > SUBJECT_MAX)
    throw invalid('the directory does not identify this person: check the subject attribute')
  return text
}

/** Active Directory's identifier is 16 bytes, not a text. */
function isGuid({ settings }: Directory): boolean {
  return settings.subject_attribute.toLowerCase() === 'objectguid'
}

function firstOf(entry: Entry, name: string): string {
  const value = attributeOf(entry, name)
  const first = Array.isArray(value) ? value[0] : value
  return textOf(Buffer.isBuffer(first) ? first.toString('utf8') : first)
}

/** Names of attributes have no case. */
function attributeOf(entry: Entry, name: string): Entry[string] | undefined {
  const key = Object.keys(entry).find((it) => it.toLowerCase() === name.toLowerCase())
  return key === undefined || key === 'dn' ? undefined : entry[key]
}

/** Invariant: one client has one connection. `ldapts` would connect again by itself, and without TLS. */
async function withClient<T>(
  ctx: Context,
  settings: LdapSettings,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { Client } = await import('ldapts')
  const sockets = [await connectTo(ctx, settings)]
  const [opened] = sockets
  const client = new Client({
    url: 'ldap://directory',
    timeout: ctx.config['sources.timeout_ms'],
    strictDN: false,
    createConnection: () => {
      const socket = sockets.pop()
      if (socket === undefined) throw new Error('connection to the directory has ended')
      return socket as unknown as Socket
    },
  })
  try {
    return await work(client)
  } finally {
    opened?.on('error', () => undefined).destroy()
  }
}
