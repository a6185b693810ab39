import { afterEach, expect, it, vi } from 'vitest'
import { ServerWatch } from './server-watch.ts'

let watch: ServerWatch
afterEach(() => watch.close())

/** A server that answers probes as the test dictates. */
function setup() {
  const server = { isAlive: true, probes: 0, failsFirst: 0 }
  const changes: boolean[] = []
  watch = new ServerWatch({
    probe: async () => {
      server.probes += 1
      if (!server.isAlive || server.probes <= server.failsFirst) throw new Error('no reply')
    },
    onChange: (isLost) => changes.push(isLost),
    suspectMs: 1,
    tickMs: 1,
  })
  return { server, changes }
}

const hanging = () => new Promise<never>(() => undefined)

it("returns a call's result without probing the server", async () => {
  const { server } = setup()

  expect(await watch.run(async () => 'row')).toBe('row')
  await expect(watch.run(() => Promise.reject(new Error('syntax')))).rejects.toThrow('syntax')

  expect(server.probes).toBe(0)
})

it('lets a slow call continue while the server answers probes', async () => {
  const { server, changes } = setup()
  const reply = Promise.withResolvers<string>()
  const slow = watch.run(() => reply.promise)
  await vi.waitFor(() => expect(server.probes).toBeGreaterThan(2), { timeout: 30_000 })

  reply.resolve('late')

  expect(await slow).toBe('late')
  expect(changes).toEqual([])
})

it('refuses waiting and later calls while the server does not answer, and recovers when it does', async () => {
  const { server, changes } = setup()
  server.isAlive = false

  await expect(watch.run(hanging)).rejects.toMatchObject({ code: 'database_unavailable' })
  let isSent = false
  const later = watch.run(async () => (isSent = true))
  await expect(later).rejects.toMatchObject({ code: 'database_unavailable' })

  expect({ isSent, losses: watch.losses }).toEqual({ isSent: false, losses: 1 })
  server.isAlive = true
  await vi.waitFor(() => expect(watch.isLost).toBe(false), { timeout: 30_000 })
  expect(await watch.run(async () => 'row')).toBe('row')
  expect(changes).toEqual([true, false])
})

it('does not consider the server lost after a single failed probe', async () => {
  const { server, changes } = setup()
  const reply = Promise.withResolvers<string>()
  server.failsFirst = 1
  const call = watch.run(() => reply.promise)
  await vi.waitFor(() => expect(server.probes).toBeGreaterThan(2), { timeout: 30_000 })

  reply.resolve('row')

  expect(await call).toBe('row')
  expect(changes).toEqual([])
})
