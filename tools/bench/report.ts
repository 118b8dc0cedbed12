/** The document that `npm run bench -- --write` writes: figures with their machine and commit. */
import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import { Client } from 'pg'

export interface Figure {
  readonly name: string
  /** Requests a second, divided by those of the bare route. */
  readonly ratio: number
  readonly statements: number
  readonly ours: Rate
  readonly floor: Rate
}

export interface Rate {
  readonly rate: number
  readonly nodeMs: number
  readonly postgresMs: number
}

export interface Memory {
  readonly idleMiB: number
  readonly loadedMiB: number
}

const GIB = 1024 ** 3

export async function reportOf(
  figures: readonly Figure[],
  { idleMiB, loadedMiB }: Memory,
  databaseUrl: string,
): Promise<string> {
  const [processor] = cpus()
  const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim()
  const rows = figures.map(
    ({ name, ratio, statements, ours, floor }) =>
      `| ${name} | ${statements} | ${ours.rate} | ${floor.rate} | ${ratio.toFixed(2)} | ${ours.nodeMs} | ${ours.postgresMs} |`,
  )
  return `# Benchmarks

Written by \`npm run bench -- --write\`. Rates of a shared machine mean little, so each route is compared with a bare one in the same run: a Fastify
server without any checks that sends the same statements to the same PostgreSQL and answers with their rows. 1.00 would be as fast as that.

| route | statements | requests a second | bare | ratio | node, ms of CPU | PostgreSQL, ms of CPU |
|---|---|---|---|---|---|---|
${rows.join('\n')}

A node takes ${idleMiB} MiB at rest, and ${loadedMiB} MiB after these requests.

Machine: ${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / GIB)} GiB, load ${loadavg()[0]?.toFixed(1)} at the end; wrk, PostgreSQL and the node share it. Node.js ${process.versions.node}, PostgreSQL ${await versionOf(databaseUrl)}, commit ${commit}.
\`bloomery try\` without \`--data\` configures PostgreSQL not to wait for the disk at a commit; this holds for both.
`
}

async function versionOf(databaseUrl: string): Promise<string> {
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version ?? ''
  } finally {
    await client.end()
  }
}
