import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { showToast } from '../../ui/toasts.tsx'
import { describeError } from '../api/api-error.ts'
import type { OperationId } from '../api/call.ts'

export interface ChangeOptions<Input, Result> {
  send(input: Input): Promise<Result>
  /** Operations whose queries are invalidated, even after a failure: part of the change may have happened. */
  stale?: readonly OperationId[]
  /** Runs before stale queries are invalidated, so that the page of a deleted item is left first. */
  onDone?(result: Result, input: Input): unknown
  /** Toast after success. */
  done?: string | ((result: Result) => string)
  /** Reports failures in a toast: for buttons, which have no room for an error. */
  hasFailureToast?: boolean
}

export type Change<Input, Result = unknown> = UseMutationResult<Result, Error, Input>

/** A mutation that reports success in a toast and invalidates stale queries. */
export function useChange<Result, Input = void>(options: ChangeOptions<Input, Result>): Change<Input, Result> {
  const { send, stale = [], onDone, done, hasFailureToast = false } = options
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: async (result, input) => {
      await onDone?.(result, input)
      if (done !== undefined) showToast({ title: typeof done === 'string' ? done : done(result) })
    },
    onError: (error) => hasFailureToast && showToast({ title: describeError(error), tone: 'danger' }),
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => stale.some((id) => id === queryKey[0]) }),
  })
}
