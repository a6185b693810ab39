import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A wire between two programs that can be cut without either being told. */
export interface WireProxy {
  port: number
  /** Passes no byte either way from now on; connections stay open, and new ones are taken. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

/** Passes bytes on to a port of this machine. */
export async function startProxy(targetPort: number): Promise<WireProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isFrozen = false
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('error', () => undefined)
      from.on('data', (chunk) => to.write(chunk))
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
      if (isFrozen) from.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const all = () => [...pairs].flat()
  return {
    port: (server.address() as AddressInfo).port, // A server on a port has no other kind of address.
    freeze() {
      isFrozen = true
      for (const socket of all()) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of all()) socket.resume()
    },
    async close() {
      server.close()
      for (const socket of all()) socket.destroy()
      await once(server, 'close')
    },
  }
}
