import type { ServerDeps } from '../server-deps.ts'

/** Counts a stream as open until it has been written completely. */
export async function countStream<T>(
  { telemetry }: Pick<ServerDeps, 'telemetry'>,
  kind: 'answer' | 'resumed-answer' | 'job' | 'dashboard' | 'playground',
  write: () => Promise<T>,
): Promise<T> {
  telemetry?.metrics.change('docent_open_streams', { kind }, 1)
  try {
    return await write()
  } finally {
    telemetry?.metrics.change('docent_open_streams', { kind }, -1)
  }
}
