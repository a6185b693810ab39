import type { z } from 'zod'
import { AppError } from '../contract/app-error.ts'
import { errorBodySchema } from '../contract/error-body.ts'
import type { allOperations } from '../contract/operations/all-operations.ts'
import {
  findOnlyReply,
  type OnlyReplySchema,
  type Operation,
  type OperationDefinition,
  type Operations,
} from '../contract/operations/operation.ts'

/** Sends a request: over the network, or into an application in this process. */
export type Send = (path: string, init: SendInit) => Promise<Response>

export interface SendInit extends RequestInit {
  method: string
  headers: Record<string, string>
  /** Longest wait for the reply, where the caller named one. Honouring it is up to `Send`. */
  timeLimitMs?: number
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  timeLimitMs?: number | undefined
}

type PartName = 'params' | 'query' | 'headers' | 'body'

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : never

/** Values that are null or undefined are left out of the address. */
type Given<Values> = { [Name in keyof Values]: Values[Name] | null }

type PartInput<Definition extends OperationDefinition, Name extends PartName> = Name extends 'query' | 'headers'
  ? Given<InputOf<Definition[Name]>>
  : InputOf<Definition[Name]>

type NamesOfParts<Definition extends OperationDefinition> = {
  [Name in PartName]: Definition extends Record<Name, z.ZodType> ? Name : never
}[PartName]

type OptionalNames<Definition extends OperationDefinition> = {
  [Name in NamesOfParts<Definition>]: Name extends 'body'
    ? Definition extends { isBodyOptional: true }
      ? Name
      : never
    : Record<never, never> extends PartInput<Definition, Name>
      ? Name
      : never
}[NamesOfParts<Definition>]

/** What a call of an operation takes: the parts of its request that it has. */
export type CallInput<Definition extends OperationDefinition> = CallOptions & {
  [Name in Exclude<NamesOfParts<Definition>, OptionalNames<Definition>>]: PartInput<Definition, Name>
} & { [Name in OptionalNames<Definition>]?: PartInput<Definition, Name> | undefined }

/** What a call of an operation returns: the parsed reply; the response itself where it streams or has several replies. */
export type CallOutput<Definition extends OperationDefinition> = [OnlyReplySchema<Definition>] extends [never]
  ? Response
  : OnlyReplySchema<Definition> extends infer Schema extends z.ZodType
    ? z.output<Schema>
    : null

type Call<Definition extends OperationDefinition> = (
  ...input: Record<never, never> extends CallInput<Definition>
    ? [input?: CallInput<Definition>]
    : [input: CallInput<Definition>]
) => Promise<CallOutput<Definition>>

/** A method for each operation of a table. All throw the `AppError` that the server answered with. */
export type OperationClient<Table extends Operations> = { readonly [Id in keyof Table]: Call<Table[Id]> }

/** The whole API, typed. */
export type Client = OperationClient<typeof allOperations>

/** As the types of the client leave it once it is called. */
interface UntypedInput extends CallOptions {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, unknown>>
  body?: unknown
}

/**
 * Makes a client from a table of operations.
 *
 * @param operations `allOperations`, or those of the resources that are used: schemas of others then stay out of a bundle.
 * @param credentials Headers that every request carries.
 */
export function createClient<Table extends Operations>(
  operations: Table,
  send: Send,
  credentials: Readonly<Record<string, string>> = {},
): OperationClient<Table> {
  const methods = Object.entries(operations).map(([id, operation]) => {
    return [id, (input: UntypedInput = {}) => call(operation, { send, credentials }, input)]
  })
  return Object.fromEntries(methods) as OperationClient<Table> // One method for each id, with the types of its definition.
}

/** The path of an operation and its query, for links and for streams that the platform opens itself. */
export function operationAddress<Definition extends OperationDefinition>(
  { path }: Definition,
  input: Omit<CallInput<Definition>, 'body' | 'headers' | keyof CallOptions>,
): string {
  const { params = {}, query = {} } = input as UntypedInput // The same parts, whatever the operation.
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(listGiven(query)).toString()
  return search === '' ? filled : `${filled}?${search}`
}

async function call(
  operation: Operation,
  { send, credentials }: { send: Send; credentials: Readonly<Record<string, string>> },
  input: UntypedInput,
): Promise<unknown> {
  const { body = {}, headers = {}, signal, timeLimitMs } = input
  const method = operation.method.toUpperCase()
  const response = await send(operationAddress(operation, input), {
    method,
    headers: {
      ...credentials,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(listGiven(headers)),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
    ...(timeLimitMs !== undefined && { timeLimitMs }),
  })
  if (!response.ok) throw await readError(response)
  const only = findOnlyReply(operation)
  if (only === null) return response
  return only.reply.json === undefined ? null : only.reply.json.parse(await response.json())
}

function listGiven(values: Readonly<Record<string, unknown>>): [name: string, value: string][] {
  return Object.entries(values).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]))
}

async function readError(response: Response): Promise<AppError> {
  // A proxy in between may answer with a page of its own.
  const refusal = errorBodySchema.safeParse(await response.json().catch(() => null))
  if (!refusal.success) {
    return new AppError('internal_error', `The server answered with status ${response.status} and no explanation.`)
  }
  const { error, code, details } = refusal.data
  return new AppError(code, error, details === undefined ? {} : { details })
}
