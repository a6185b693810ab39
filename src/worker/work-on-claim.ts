import type { Clock } from '../base/clock.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { runUnitOfWork } from '../telemetry/work-context.ts'

export interface ClaimedWork {
  /** Names the kind of work in metrics and traces. */
  work: string
  /** Ids of what is worked on, for every line of the log and for the trace. */
  fields: Readonly<Record<string, string | number>>
  /** Whether somebody else had begun it. */
  isTakenOver?: boolean
}

/** How work ended. `withdrawn`: it was cancelled. `lost`: somebody else has it now. `handed-back`: this process stops. */
export type WorkOutcome = 'done' | 'failed' | 'withdrawn' | 'lost' | 'handed-back'

/** Works on what was claimed, and tells of it: how long, how it ended, and that it is held meanwhile. */
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
