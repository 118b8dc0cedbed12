/** The floor that `GET /user` is measured against: a bare Fastify route that runs the same SQL by pg, nothing else. */
import Fastify from 'fastify'
import pg from 'pg'

const [url = '', sql = '', digest = '', port = '0'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })
const app = Fastify()
app.get('/user', async () => {
  const { rows } = await pool.query(sql, [Buffer.from(digest, 'hex')])
  return rows[0]
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
console.log('ready')
