/** README templates. */
export interface ReadmeFacts {
  readonly name: string
  readonly description: string
}

const README: Readonly<Record<string, (facts: ReadmeFacts) => string>> = {
  Default: ({ name, description }) => `# ${name}\n\n${description.replaceAll(/\r\n?/g, '\n')}`,
}

export function listReadmes(): string[] {
  return Object.keys(README)
}

export function findReadme(name: string): ((facts: ReadmeFacts) => string) | undefined {
  return Object.hasOwn(README, name) ? README[name] : undefined
}
