/** More nodes beside a forge, on the same database: each with connections, caches and a port of its own. */
import { openWorld, rawRoutes, routes } from '#cli'
import { buildApp } from '#http'
import type { Method } from '#platform/rest'
import type { Forge } from './forge.ts'

const LISTENING = { host: '127.0.0.1', port: 0 }

interface Node {
  readonly base: string
  close(): Promise<void>
}

interface NodeReply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
  readonly body: any
}

export class Nodes {
  private readonly forge: Forge
  private readonly nodes: readonly Node[]
  private calls = 0

  constructor(forge: Forge, nodes: readonly Node[]) {
    this.forge = forge
    this.nodes = nodes
  }

  /** As the forge's own `call`, but each goes to the next of all nodes. */
  async call(as: string, method: Method, path: string, body: object): Promise<NodeReply> {
    const bases = [this.forge.base, ...this.nodes.map(({ base }) => base)]
    this.calls += 1
    const answer = await fetch(`${bases[this.calls % bases.length]}/api/v1${path}`, {
      method,
      headers: { authorization: `token ${this.forge.tokenOf(as)}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.nodes) await node.close()
  }
}

/** `count` in all, with the forge's own. */
export async function startNodes(forge: Forge, count: number): Promise<Nodes> {
  const nodes: Node[] = []
  for (let i = 1; i < count; i++) nodes.push(await startNode(forge))
  return new Nodes(forge, nodes)
}

async function startNode({ world }: Forge): Promise<Node> {
  const open = await openWorld(world.config, { listening: LISTENING, now: world.now })
  const app = buildApp({ world: open.world, routes, rawRoutes, isReady: async () => undefined })
  return {
    base: await app.listen(LISTENING),
    async close() {
      await app.close()
      await open.close()
    },
  }
}
