/** The probe refuses every store that breaks a promise, and reports the fault and the remedy. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ObjectStore, openObjectStore, probeObjectStore } from '#platform/object-store'
import { findFreePorts } from '../../cli/free-ports.ts'
import { SINGLE_PUT_BYTES_MAX } from './sizes.ts'

let folder: string
let honest: ObjectStore

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'object-store-probe-'))
  honest = await openObjectStore({ driver: 'disk', folder })
})

after(async () => {
  await honest?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Each one breaks one promise of a correct store. */
const liars: { lie: string; told: RegExp; tell: (store: ObjectStore) => Partial<ObjectStore> }[] = [
  {
    lie: 'overwrites what is there',
    told: /stored a key a second time.*If-None-Match/,
    tell: (store) => ({ create: (...put) => overwrite(store, ...put) }),
  },
  {
    lie: 'overwrites what is there and says that it did not',
    told: /overwrote a stored object.*If-None-Match/,
    tell: (store) => ({
      create: async (...put) => {
        const existed = (await store.stat(put[0])) !== undefined
        await overwrite(store, ...put)
        return existed ? 'exists' : 'created'
      },
    }),
  },
  {
    lie: 'looks first and writes later, so that only a race shows it',
    told: /let \d+ of 16 writers create one key.*If-None-Match/,
    tell: (store) => ({
      create: async (...put) => {
        if ((await store.stat(put[0])) !== undefined) return 'exists'
        await sleep(20)
        return overwrite(store, ...put)
      },
    }),
  },
  {
    lie: 'keeps the condition for single puts only',
    told: /let 2 of 2 writers create one key.*CompleteMultipartUpload/,
    tell: (store) => ({
      create: (...put) =>
        put[2].bytes > SINGLE_PUT_BYTES_MAX ? overwrite(store, ...put) : store.create(...put),
    }),
  },
  {
    lie: 'names a winner and keeps the body of a loser',
    told: /kept the body of a writer it had refused/,
    tell: (store) => {
      const told = new Set<string>()
      return {
        create: async (key, body, options) => {
          if (key.endsWith('-plain')) return store.create(key, body, options)
          const isFirst = !told.has(key)
          told.add(key)
          if (isFirst) await sleep(100)
          const made = await store.create(key, body, options)
          return isFirst ? 'created' : made === 'created' ? 'exists' : made
        },
      }
    },
  },
  {
    lie: 'knows every key already',
    told: /said that a new key existed/,
    tell: () => ({ create: async () => 'exists' }),
  },
  {
    lie: 'gives back other bytes',
    told: /gave back other bytes/,
    tell: () => ({ read: async () => ({ bytes: 1_000, body: Readable.from([Buffer.alloc(1_000)]) }) }),
  },
  {
    lie: 'ignores ranges',
    told: /gave other bytes than the range/,
    tell: (store) => ({ read: (key) => store.read(key) }),
  },
  {
    lie: 'gives a wrong size',
    told: /gave a wrong size/,
    tell: () => ({ stat: async () => ({ bytes: 1 }) }),
  },
  {
    lie: 'lists late',
    told: /did not list a stored object.*read-after-write/,
    tell: () => ({ list: async function* () {} }),
  },
  {
    lie: 'keeps what was deleted',
    told: /still showed objects after their deletion/,
    tell: () => ({ delete: async () => {} }),
  },
]

for (const { lie, told, tell } of liars) {
  test(`a store that ${lie} is refused`, async () => {
    const liar: ObjectStore = { ...honest, ...tell(honest) }
    await assert.rejects(probeObjectStore(liar, { rounds: 3 }), { name: 'OperatorError', message: told })
  })
}

test("a store is accepted when the winner's answer is lost and its retry finds the key", async () => {
  const forgetful: ObjectStore = {
    ...honest,
    create: async (key, ...put) => {
      const made = await honest.create(key, ...put)
      return key.endsWith('-plain') ? made : 'exists'
    },
  }
  await probeObjectStore(forgetful, { rounds: 3 })
})

test('a server that ignores If-None-Match is refused through the real driver', async () => {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    if (request.method === 'PUT') seen.push(request.headers['if-none-match'])
    request.resume().on('end', () => response.writeHead(200, { etag: '"0"' }).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const store = await openS3At((server.address() as AddressInfo).port)
  try {
    await assert.rejects(probeObjectStore(store), /stored a key a second time/)
    assert.deepEqual(seen, ['*', '*'])
  } finally {
    await store.close()
    server.closeAllConnections()
    server.close()
  }
})

test('an unreachable store is refused with the advice to check its address', async () => {
  const store = await openS3At(await findFreePorts())
  try {
    await assert.rejects(
      probeObjectStore(store),
      /ECONNREFUSED.*start the service, or correct store\.endpoint/,
    )
  } finally {
    await store.close()
  }
})

async function overwrite(store: ObjectStore, ...put: Parameters<ObjectStore['create']>) {
  await store.delete(put[0])
  await store.create(...put)
  return 'created' as const
}

function openS3At(port: number): Promise<ObjectStore> {
  return openObjectStore({
    driver: 's3',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'bloomery',
    accessKeyId: 'someone',
    secretAccessKey: 'something',
    requestTimeoutMs: 30_000,
    connectTimeoutMs: 10_000,
  })
}
