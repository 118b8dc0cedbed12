/** Parses the issue config: whether blank issues are allowed, and contact links. Pure. */
import { type IssueConfig, NO_CONFIG, type ReadConfig } from './files.ts'
import { readMap, textOf } from './template.ts'

/** A faulty file counts as none. */
export function readConfig(text: string): ReadConfig {
  const facts = readMap(text)
  if (facts === undefined) return faulty('file is not valid YAML')
  const links = linksOf(facts.contact_links)
  if (links === undefined) return faulty('contact_links is not a list')
  for (const [i, link] of links.entries()) {
    const missing = (['name', 'url', 'about'] as const).find((key) => link[key] === '')
    if (missing !== undefined) return faulty(`contact_link at position ${i + 1} is missing ${missing} key`)
    if (!URL.canParse(link.url)) return faulty(`${link.url} is not a valid URL`)
  }
  const blank = facts.blank_issues_enabled
  if (blank !== undefined && typeof blank !== 'boolean')
    return faulty('blank_issues_enabled is not a boolean')
  return { config: { blank_issues_enabled: blank ?? true, contact_links: links }, fault: '' }
}

function faulty(fault: string): ReadConfig {
  return { ...NO_CONFIG, fault }
}

function linksOf(value: unknown): IssueConfig['contact_links'] | undefined {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return undefined
  return value.map((item: unknown) => {
    const link = (item ?? {}) as Record<string, unknown>
    return { name: textOf(link.name), url: textOf(link.url), about: textOf(link.about) }
  })
}
