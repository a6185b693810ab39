import type { Clock } from '../base/clock.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { runUnitOfWork } from '../telemetry/work-context.ts'

export interface ClaimedWork {
  /** Kind of work, for metrics and traces. */
  work: string
  /** Ids of the work, for every log line and the trace. */
  fields: Readonly<Record<string, string | number>>
  /** Whether another worker had started it before. */
  isTakenOver?: boolean
}

/**
 * How work ended. `withdrawn`: cancelled. `lost`: another worker has the claim. `handed-back`: this process is
 * stopping.
 */
export type WorkOutcome = 'done' | 'failed' | 'withdrawn' | 'lost' | 'handed-back'

/** Runs claimed work with metrics and a trace: whether it is held, how long it took, how it ended. */
export async function workOnClaim(
  { clock, telemetry }: { clock: Clock; telemetry?: Telemetry | undefined },
  { work, fields, isTakenOver = false }: ClaimedWork,
  run: () => Promise<WorkOutcome>,
): Promise<void> {
  const metrics = telemetry?.metrics
  const startedAt = clock.now()
  const name = `work on ${work}`
  const attributes = Object.fromEntries(Object.entries(fields).map(([key, value]) => [`docent.${key}`, value]))
  if (isTakenOver) metrics?.add('docent_leases_taken_over_total', { work })
  metrics?.change('docent_leases_held', { work }, 1)
  const tell = (outcome: WorkOutcome) => {
    metrics?.change('docent_leases_held', { work }, -1)
    if (outcome === 'lost') metrics?.add('docent_leases_lost_total', { work })
    metrics?.observe('docent_work_seconds', { work, outcome }, (clock.now() - startedAt) / 1_000)
  }
  const unit = { name, kind: 'consumer', attributes, fields } as const
  const ending = runUnitOfWork(telemetry?.tracer, unit, async (span) => {
    const outcome = await run()
    span?.set({ 'docent.outcome': outcome })
    if (outcome === 'failed') span?.fail('work_failed')
    return outcome
  })
  await ending.then(tell, (error: unknown) => {
    tell('failed')
    throw error
  })
}
