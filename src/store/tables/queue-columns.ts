import { boolean, integer, nullable, time } from './define-table.ts'

/** Columns of tables whose rows are work to be done: see `queue.ts`. */
export function queueColumns() {
  return {
    /** Counts the claims. */
    attempt: integer(),
    /** Not before; of a claimed row, when the claim lapses. Null when there is nothing left to do. */
    runAt: nullable(time()),
    isClaimed: boolean(),
  }
}

/** Finds rows that are due. */
export const queueIndex = { columns: ['runAt', 'id'], where: 'run_at is not null' } as const
