import { boolean, integer, nullable, time } from './define-table.ts'

/** Columns of tables whose rows are work items; see `queue.ts`. */
export function queueColumns() {
  return {
    /** Counts the claims. */
    attempt: integer(),
    /** When the work is due; for a claimed row, when the claim lapses. Null when done. */
    runAt: nullable(time()),
    isClaimed: boolean(),
  }
}

/** Finds due rows. */
export const queueIndex = { columns: ['runAt', 'id'], where: 'run_at is not null' } as const
