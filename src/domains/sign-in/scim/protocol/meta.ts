/** What users and groups have in common as resources: their addresses, and `meta` (RFC 7643, section 3.1). Pure. */
import { BASE } from './names.ts'
import { etagOf, type Json } from './requests.ts'

export type ResourceType = 'User' | 'Group'

export interface StoredResource {
  readonly id: string
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

export function locationOf(type: ResourceType, id: string, siteUrl: string): string {
  return `${siteUrl}${BASE}/${type}s/${id}`
}

export function metaOf(type: ResourceType, row: StoredResource, siteUrl: string): Json {
  return {
    resourceType: type,
    created: row.created_at.toISOString(),
    lastModified: row.updated_at.toISOString(),
    location: locationOf(type, row.id, siteUrl),
    version: etagOf(row),
  }
}
