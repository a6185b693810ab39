import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import type { OperationId } from '../api/call.ts'
import { useChange } from './use-change.ts'

export interface BulkChangeProps<Row> {
  /** The chosen rows that it applies to; others are left as they are. */
  rows: readonly Row[]
  send(row: Row): Promise<unknown>
  undo(row: Row): Promise<unknown>
  /** What was done, such as `Archived`. */
  done: string
  stale: readonly OperationId[]
  children: ReactNode
}

/** A button that changes the chosen rows of a table one after another, and offers to undo that. */
export function BulkChange<Row>({ rows, send, undo, done, stale, children }: BulkChangeProps<Row>) {
  const change = useChange({
    send: (rows: readonly Row[]) => forEach(rows, send),
    done: (count) => `${done}: ${count}`,
    undo: (_, changed) => () => forEach(changed, undo),
    stale,
    hasFailureToast: true,
  })
  return (
    <Button size="small" disabled={rows.length === 0} isBusy={change.isPending} onClick={() => change.mutate(rows)}>
      {children}
    </Button>
  )
}

/** @returns How many. One at a time: changes of one kind would otherwise exceed the limit of requests together. */
async function forEach<Row>(rows: readonly Row[], send: (row: Row) => Promise<unknown>): Promise<number> {
  for (const row of rows) await send(row)
  return rows.length
}
