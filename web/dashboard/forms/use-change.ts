import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '../../ui/toasts.tsx'
import { describeError } from '../api/api-error.ts'
import type { OperationId } from '../api/call.ts'
import { say } from '../../words/say.ts'

export interface ChangeOptions<Input, Result> {
  send(input: Input): Promise<Result>
  /** Operations whose queries are invalidated, even after a failure: part of the change may have happened. */
  stale?: readonly OperationId[]
  /** Runs before stale queries are invalidated, so that the page of a deleted item is left first. */
  onDone?(result: Result, input: Input): unknown
  /** Toast after success. */
  done?: string | ((result: Result) => string)
  /** The inverse, which the toast offers; null if this change has none. It must really undo what the service has done. */
  undo?(result: Result, input: Input): (() => Promise<unknown>) | null
  /** Reports failures in a toast: for buttons, which have no room for an error. */
  hasFailureToast?: boolean
}

export type Change<Input, Result = unknown> = UseMutationResult<Result, Error, Input>

/**
 * A mutation that invalidates stale queries, and reports success in a toast, which offers to undo it. The change is made at
 * once and undone by another: nothing is lost when the window closes.
 */
export function useChange<Result, Input = void>(options: ChangeOptions<Input, Result>): Change<Input, Result> {
  const { send, stale = [], onDone, done, undo, hasFailureToast = false } = options
  const client = useQueryClient()
  const readAgain = () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => stale.some((id) => id === queryKey[0]) })
  const undoChange = async (inverse: () => Promise<unknown>) => {
    try {
      await inverse()
      showToast({ title: say('Undone.') })
    } catch (error) {
      showToast({ title: describeError(error), tone: 'danger' })
    }
    await readAgain()
  }
  return useMutation({
    mutationFn: send,
    onSuccess: async (result, input) => {
      await onDone?.(result, input)
      const inverse = undo?.(result, input) ?? null
      // People act on what the page shows, so it is up to date before they are told.
      await readAgain()
      if (done === undefined) return
      const title = typeof done === 'string' ? done : done(result)
      showToast({ title, ...(inverse !== null && { onUndo: () => void undoChange(inverse) }) })
    },
    onError: (error) => {
      if (hasFailureToast) showToast({ title: describeError(error), tone: 'danger' })
      return readAgain()
    },
  })
}
