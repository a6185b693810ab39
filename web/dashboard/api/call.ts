import { queryOptions } from '@tanstack/react-query'
import { type CallOutput, createClient, type OperationClient } from '../../../src/client/create-client.ts'
import { listAll } from '../../../src/client/list-all.ts'
import type { allOperations } from '../../../src/contract/operations/all-operations.ts'
import type { Operation } from '../../../src/contract/operations/operation.ts'
import { send } from './send.ts'

export type OperationId = keyof typeof allOperations

export type Reply<Called extends Operation> = CallOutput<Called>

export type CallArguments<Called extends Operation> = Parameters<OperationClient<{ call: Called }>['call']>

/**
 * Calls an operation in the session of the browser. Replies are parsed.
 *
 * @param operation Of the table of its resource, so that a page loads the schemas of its own resources alone.
 */
export function call<Called extends Operation>(
  operation: Called,
  ...input: CallArguments<Called>
): Promise<Reply<Called>> {
  return createClient({ call: operation }, send).call(...input)
}

/** Reads an operation. The key of the query is the id of the operation, then what it is called with. */
export function queryOf<Called extends Operation>(operation: Called, ...[input]: CallArguments<Called>) {
  return queryOptions({
    queryKey: [operation.id, input ?? null],
    queryFn: ({ signal }) => call(operation, ...withSignal<Called>(input, signal)),
  })
}

/** As many as a page of a list may hold. */
const listedMax = 200

/** Reads a list to its end, for those who choose from it. */
export function listOf<Called extends Operation>(operation: Called) {
  return queryOptions({
    queryKey: [operation.id, 'all'],
    queryFn: ({ signal }) =>
      listAll(async (cursor) => {
        const query = { limit: listedMax, cursor }
        // Only lists are read to their end; their replies are pages.
        return (await call(operation, ...withSignal<Called>({ query }, signal))) as ListPage<ItemOf<Called>>
      }),
  })
}

interface ListPage<Item> {
  items: readonly Item[]
  nextCursor: string | null
}

export type ItemOf<Called extends Operation> = Reply<Called> extends { items: readonly (infer Item)[] } ? Item : never

function withSignal<Called extends Operation>(input: object | undefined, signal: AbortSignal) {
  return [{ ...input, signal }] as unknown as CallArguments<Called> // Every operation takes a signal beside its parts.
}
