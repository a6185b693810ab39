import { randomBytes } from 'node:crypto'
import { type BuildServiceInput, buildService } from './build-service.ts'

export type RunWorkerInput = Omit<BuildServiceInput, 'baseUrl' | 'localToken'>

export interface RunningWorker {
  /** Hands back what is being worked on, for another worker or the next start. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts a process that works and answers nobody: indexing, polling, retention. It finds its work in the database.
 *
 * @throws {Error} with a sentence, when the folder or the database cannot be used.
 */
export async function runWorker(input: RunWorkerInput): Promise<RunningWorker> {
  const { settings, log } = input
  const baseUrl = settings.baseUrl ?? `http://${settings.host}:${settings.port}`
  const service = await buildService({ ...input, baseUrl, localToken: randomBytes(32).toString('base64url') })
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
