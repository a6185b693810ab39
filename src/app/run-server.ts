import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { parseTrustedProxies } from '../access/client-address.ts'
import { systemClock } from '../base/clock.ts'
import { createIdSource } from '../base/ids.ts'
import { startSpawner } from '../git/spawner/spawner.ts'
import { warnPlainHttp } from './warn-plain-http.ts'
import { listenOn } from '../server/http-server.ts'
import { createStartingServer } from '../server/starting-server.ts'
import { type BuildServiceInput, buildService, type FirstStartDuty, type Service } from './build-service.ts'
import { removeServerAddress, writeServerAddress } from './data-folder.ts'

export interface RunServerInput extends Omit<BuildServiceInput, 'baseUrl' | 'localToken' | 'firstStart'> {
  /** Default: performed, without an announcement. */
  firstStart?: FirstStartDuty
  /** Default: all. */
  role?: 'all' | 'serve'
  /** Replaces the configured drain delay in tests. */
  waitForBalancers?: () => Promise<void>
}

export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:4000`. */
  url: string
  /** Where clients reach it. */
  baseUrl: string
  service: Service
  /**
   * Waits until load balancers have noticed, refuses new requests, lets running answers finish within the configured
   * time, ends the rest with a sentence, and releases all resources. Idempotent.
   */
  stop(): Promise<void>
}

/**
 * Starts the server of a process, and its worker unless another process runs that. Resolves once it is listening;
 * `/readyz` reports when it can answer.
 *
 * @throws {Error} with a sentence, if the port, the folder or the database cannot be used.
 */
export async function runServer(input: RunServerInput): Promise<RunningServer> {
  const { settings, log } = input
  void startSpawner()
  // Bound first, because links need the port, which the system may choose.
  const http = await listenOn(settings.host, settings.port, { connectionsMax: settings.connectionsMax })
  const clock = input.clock ?? systemClock
  const trustedProxies = parseTrustedProxies(settings.trustProxy)
  http.handle(createStartingServer({ clock, ids: createIdSource(clock), log, trustedProxies }))
  const baseUrl = settings.baseUrl ?? http.url
  const localToken = randomBytes(32).toString('base64url')
  const firstStart = input.firstStart ?? { kind: 'make' }
  const service = await buildService({ ...input, firstStart, baseUrl, localToken }).catch(async (error: unknown) => {
    await http.close({ graceMs: 0, endStreams: () => {} })
    throw error
  })
  http.handle(service.server)
  await service.start(input.role ?? 'all').catch(async (error: unknown) => {
    await http.close({ graceMs: 0, endStreams: () => {} })
    await service.close()
    throw error
  })
  await writeServerAddress(service.folder, { url: http.url, token: localToken })
  const warning = warnPlainHttp(settings)
  if (warning !== null) log.warn({ warning }, 'plain-http')
  log.info({ url: http.url, database: service.store.dialect, model: settings.model }, 'server-started')

  const stop = async () => {
    log.info({}, 'server-draining')
    service.lifecycle.leave()
    await (input.waitForBalancers ?? (() => waitForBalancers(settings.drainDelaySeconds)))()
    service.lifecycle.drain()
    await removeServerAddress(service.folder)
    await http.close({ graceMs: settings.shutdownSeconds * 1_000, endStreams: () => service.lifecycle.endStreams() })
    await service.close()
    log.info({}, 'server-stopped')
  }
  let stopped: Promise<void> | null = null
  return { url: http.url, baseUrl, service, stop: () => (stopped ??= stop()) }
}

async function waitForBalancers(seconds: number): Promise<void> {
  if (seconds > 0) await wait(seconds * 1_000)
}
