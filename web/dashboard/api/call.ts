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
 * Calls an operation in the browser's session and parses the reply.
 *
 * @param operation Imported from its resource's table, so that a page loads only the schemas it needs.
 */
export function call<Called extends Operation>(
  operation: Called,
  ...input: CallArguments<Called>
): Promise<Reply<Called>> {
  return createClient({ call: operation }, send).call(...input)
}

/** Query for an operation. The key is the operation's id, then its input. */
export function queryOf<Called extends Operation>(operation: Called, ...[input]: CallArguments<Called>) {
  return queryOptions({
    queryKey: [operation.id, input ?? null],
    queryFn: ({ signal }) => call(operation, ...withSignal<Called>(input, signal)),
  })
}

/** Largest page size of a list. */
const listedMax = 200

/** Query for a complete list, such as the options of a select. */
export function listOf<Called extends Operation>(operation: Called) {
  return queryOptions({
    queryKey: [operation.id, 'all'],
    queryFn: ({ signal }) =>
      listAll(async (cursor) => {
        const query = { limit: listedMax, cursor }
        // Only lists are passed here, and their replies are pages.
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
  return [{ ...input, signal }] as unknown as CallArguments<Called> // Every operation also takes a signal.
}
