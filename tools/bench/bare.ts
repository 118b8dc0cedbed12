/** The baseline of the benchmark: bare Fastify routes that run the same statements with pg, and nothing else. */
import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'
import pg from 'pg'
import { decode, type Statement } from './statements.ts'

const [url = '', file = '', port = '0'] = process.argv.slice(2)
const routes = decode(await readFile(file, 'utf8')) as { isWrite: boolean; requests: Statement[][] }[]
const pool = new pg.Pool({ connectionString: url, max: 10 })
const app = Fastify()
for (const [number, { isWrite, requests }] of routes.entries())
  for (const [turn, statements] of requests.entries())
    app.get(`/${number}/${turn}`, () => (isWrite ? write(statements) : read(statements)))
await app.listen({ host: '127.0.0.1', port: Number(port) })
console.log('ready')

async function read(statements: readonly Statement[]): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const statement of statements) answers.push((await pool.query(statement)).rows)
  return answers
}

/** All statements in one transaction, on one connection. */
async function write(statements: readonly Statement[]): Promise<unknown[]> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const answers: unknown[] = []
    for (const statement of statements) answers.push((await client.query(statement)).rows)
    await client.query('commit')
    return answers
  } finally {
    client.release()
  }
}
