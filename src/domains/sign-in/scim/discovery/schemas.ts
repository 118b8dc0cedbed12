/** The schemas of users and groups, as clients discover them: exactly the attributes that the forge keeps. */
import { BASE, GROUP, USER } from '../protocol/names.ts'
import type { Json } from '../protocol/requests.ts'

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

interface Facts {
  readonly type?: string
  readonly multiValued?: boolean
  readonly required?: boolean
  readonly caseExact?: boolean
  readonly mutability?: string
  readonly returned?: string
  readonly uniqueness?: string
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Json[]
}

function attribute(name: string, description: string, facts: Facts = {}): Json {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...facts,
  }
}

const reference = (type: string, mutability: string) =>
  attribute('$ref', 'Address of the resource.', {
    type: 'reference',
    referenceTypes: [type],
    caseExact: true,
    mutability,
  })

const userAttributes = [
  attribute('userName', 'Name at the source, from which the username of a new account is made.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('name', 'Parts of the name of the user.', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The full name.'),
      attribute('familyName', 'The family name.'),
      attribute('givenName', 'The given name.'),
    ],
  }),
  attribute('displayName', 'Full name of the account.'),
  attribute('active', 'False for a user whose account is suspended.', { type: 'boolean', required: true }),
  attribute('emails', 'Email addresses; the primary one becomes that of the account.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The address.'),
      attribute('type', 'What it is used for, such as work.'),
      attribute('primary', 'Whether it is the primary address.', { type: 'boolean' }),
    ],
  }),
  attribute('groups', 'Groups of the user.', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', 'ID of the group.', { mutability: 'readOnly' }),
      reference('Group', 'readOnly'),
      attribute('display', 'Name of the group.', { mutability: 'readOnly' }),
    ],
  }),
]

const groupAttributes = [
  attribute('displayName', 'Name of the group, which mappings of the source to teams use.', {
    required: true,
    caseExact: true,
    uniqueness: 'server',
  }),
  attribute('members', 'Users of the group.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'ID of the user.', { mutability: 'immutable' }),
      reference('User', 'immutable'),
    ],
  }),
]

export function schemasAt(siteUrl: string): Json[] {
  const schema = (id: string, name: string, description: string, attributes: readonly Json[]) => ({
    schemas: [SCHEMA],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${siteUrl}${BASE}/Schemas/${id}` },
  })
  return [
    schema(USER, 'User', 'A person of the authentication source', userAttributes),
    schema(GROUP, 'Group', 'A group of the authentication source', groupAttributes),
  ]
}
