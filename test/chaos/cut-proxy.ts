import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What stands between a process and its database, and can be cut. */
export interface CutProxy {
  port: number
  /** Ends what is connected and takes nothing new. */
  cut(): void
  /** Lets nothing pass, while connections stay: as when a cable is pulled. */
  hold(): void
  mend(): void
  close(): Promise<void>
}

export async function startCutProxy(target: { host: string; port: number }): Promise<CutProxy> {
  let state: 'open' | 'held' | 'cut' = 'open'
  const pairs = new Set<readonly [Socket, Socket]>()
  const pass = (pair: readonly [Socket, Socket]) => {
    for (const socket of pair) {
      if (state === 'held') socket.pause()
      else socket.resume()
    }
  }
  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy()
    const upstream = connect(target)
    const pair = [client, upstream] as const
    pairs.add(pair)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => client.write(bytes))
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
    pass(pair)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const set = (next: typeof state) => {
    state = next
    for (const pair of pairs) {
      if (state === 'cut') for (const socket of pair) socket.destroy()
      else pass(pair)
    }
  }
  return {
    port: (server.address() as AddressInfo).port, // A server on a port has no other kind of address.
    cut: () => set('cut'),
    hold: () => set('held'),
    mend: () => set('open'),
    async close() {
      set('cut')
      server.close()
      await once(server, 'close')
    },
  }
}
