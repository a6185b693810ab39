import { randomBytes } from 'node:crypto'
import { startSpawner } from '../git/spawner/spawner.ts'
import { type BuildServiceInput, buildService } from './build-service.ts'

export interface RunWorkerInput extends Omit<BuildServiceInput, 'baseUrl' | 'localToken' | 'firstStart'> {
  /** Ends the wait for the first start. */
  signal?: AbortSignal
}

export interface RunningWorker {
  /** Hands unfinished work back, for another worker or the next start. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts a worker without a server: indexing, polling, retention. It finds its work in the database. Waits for a server
 * to perform the first start, because nobody would look for keys in a worker's output.
 *
 * @throws {NoInstallationError} if the signal ends that wait.
 * @throws {Error} with a sentence, if the folder or the database cannot be used.
 */
export async function runWorker(input: RunWorkerInput): Promise<RunningWorker> {
  const { settings, log } = input
  void startSpawner()
  const baseUrl = settings.baseUrl ?? `http://${settings.host}:${settings.port}`
  const firstStart = { kind: 'wait', signal: input.signal ?? new AbortController().signal } as const
  const localToken = randomBytes(32).toString('base64url')
  const service = await buildService({ ...input, firstStart, baseUrl, localToken })
  await service.start('work').catch(async (error: unknown) => {
    await service.close()
    throw error
  })
  log.info({ database: service.store.dialect }, 'worker-started')
  const stop = async () => {
    await service.close()
    log.info({}, 'worker-stopped')
  }
  let stopped: Promise<void> | null = null
  return { stop: () => (stopped ??= stop()) }
}
