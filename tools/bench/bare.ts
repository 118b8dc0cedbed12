/** The floor that routes are measured against: bare Fastify routes that run the same statements by pg, nothing else. */
import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'
import pg from 'pg'
import { decode, type Statement } from './statements.ts'

const [url = '', file = '', port = '0'] = process.argv.slice(2)
const routes = decode(await readFile(file, 'utf8')) as { path: string; statements: Statement[] }[]
const pool = new pg.Pool({ connectionString: url, max: 10 })
const app = Fastify()
for (const [number, { statements }] of routes.entries())
  app.get(`/${number}`, async () => {
    const answers: unknown[] = []
    for (const statement of statements) answers.push((await pool.query(statement)).rows)
    return answers
  })
await app.listen({ host: '127.0.0.1', port: Number(port) })
console.log('ready')
