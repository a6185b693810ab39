import type { z } from 'zod'
import type { Role } from '../accounts.ts'
import type { DashboardChange } from '../dashboard-event.ts'
import type { QuestionFormat } from '../question-formats.ts'

/**
 * Who may call an operation: anybody, the holder of a browser session, a code host that signs its body, a reader with an
 * assistant key for the site in the path, or an admin key, a session or a local command with at least this role.
 */
export type Access = 'public' | 'session' | 'signature' | 'reader' | Role

/**
 * What a call with an assistant key counts as. A completion is an answer for a client that can get no session; a tool is
 * called over MCP.
 */
export type ReaderUse = 'answer' | 'completion' | 'search' | 'feedback' | 'hand-over' | 'tool'

/** The response for a status: JSON, text of the given media types, or no body. */
export interface OperationReply {
  description: string
  json?: z.ZodType
  text?: readonly string[]
}

export type ErrorReplyStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503

/** An HTTP operation, as the server, the OpenAPI document and the client share it. */
export interface OperationDefinition {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With parameters in braces, such as `/admin/v1/keys/{id}`. */
  path: `/${string}`
  summary: string
  description?: string
  deprecated?: true
  access: Access
  /** The limits that a call with an assistant key counts against. Default: none. */
  countsAs?: ReaderUse
  /** Name of a successful call in the audit log. */
  audit?: `${string}-${string}`
  /** Event for dashboards after a successful call. Its id is that of the reply, or else of the path. */
  dashboardEvent?: DashboardChange['type']
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodType
  isBodyOptional?: true
  /** Default: `bodyBytesMaxDefault`. */
  bodyBytesMax?: number
  /** The format of the question in the body. Large questions are parsed in a separate thread. */
  questionFormat?: QuestionFormat
  /** The handler reads and parses the body itself; the schema only describes it. */
  handlerReadsBody?: true
  replies: Readonly<Record<number, OperationReply>>
  /** In addition to those that `listErrorStatuses` derives. */
  errors?: readonly ErrorReplyStatus[]
  /** Derived statuses that this operation never returns. */
  neverErrors?: readonly ErrorReplyStatus[]
}

export interface OperationTag {
  name: string
  description: string
}

export interface Operation extends OperationDefinition {
  /** Operation id in OpenAPI and method name of the client. */
  id: string
  tag: OperationTag
}

/** Operations by id. */
export type Operations = Readonly<Record<string, Operation>>

type Defined<Definitions> = {
  readonly [Id in keyof Definitions & string]: Definitions[Id] & { readonly id: Id; readonly tag: OperationTag }
}

/** Refuses misspelled properties, which type parameters would otherwise accept. */
type Exact<Definitions> = {
  [Id in keyof Definitions]: { [Name in Exclude<keyof Definitions[Id], keyof OperationDefinition>]: never }
}

export const bodyBytesMaxDefault = 64 * 1024
/** Fits the prompt of an automation, the text of a pull request, or the groups of a key, in any script. */
export const longTextBytesMax = 256 * 1024
/** Fits a prompt with twenty pieces of context, in any script. */
export const jobBytesMax = 2 * 1024 * 1024
/** Assistant clients send their whole history, including tool results. */
export const messageBytesMax = 4 * 1024 * 1024

/**
 * Defines the operations of one resource by id.
 *
 * @returns The definitions with id and tag.
 */
export function defineOperations<const Definitions extends Readonly<Record<string, OperationDefinition>>>(
  tag: OperationTag,
  definitions: Definitions & Exact<Definitions>,
): Defined<Definitions> {
  const defined = Object.entries<OperationDefinition>(definitions).map(([id, each]) => [id, { ...each, id, tag }])
  return Object.fromEntries(defined) as Defined<Definitions> // Each entry is its definition with the id and the tag.
}

const accessErrors: Readonly<Record<Access, readonly ErrorReplyStatus[]>> = {
  public: [],
  session: [401, 403],
  signature: [400, 401, 413, 415],
  reader: [401, 403],
  viewer: [401, 403],
  editor: [401, 403],
  owner: [401, 403],
}

/** All error statuses that an operation can return, ascending. */
export function listErrorStatuses(operation: OperationDefinition): ErrorReplyStatus[] {
  const { access, params, query, headers, body, countsAs, errors = [], neverErrors = [] } = operation
  const statuses = new Set<ErrorReplyStatus>([...accessErrors[access], ...errors, 503])
  if (query !== undefined || headers !== undefined) statuses.add(400)
  if (params !== undefined) statuses.add(404)
  if (body !== undefined) for (const status of [400, 413, 415] as const) statuses.add(status)
  if (countsAs !== undefined) statuses.add(429)
  for (const status of neverErrors) statuses.delete(status)
  return [...statuses].toSorted((a, b) => a - b)
}

/** The only successful reply of an operation, if it is JSON or empty; otherwise null. */
export function findOnlyReply({ replies }: OperationDefinition): { status: number; reply: OperationReply } | null {
  const [only, ...others] = Object.entries(replies)
  if (only === undefined || others.length > 0) return null
  const [status, reply] = only
  return reply.text !== undefined || Number(status) >= 300 ? null : { status: Number(status), reply }
}

/** The type of an optional property of a definition, or undefined if it was omitted. */
type Given<Definition, Name extends keyof OperationDefinition> =
  Definition extends Record<Name, infer Value> ? Value : undefined

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** The validated parts of a request; undefined where the operation has no such part. */
export interface OperationRequest<Definition> {
  params: OutputOf<Given<Definition, 'params'>>
  query: OutputOf<Given<Definition, 'query'>>
  headers: OutputOf<Given<Definition, 'headers'>>
  body: OutputOf<Given<Definition, 'body'>>
}

type RepliesOf<Definition> = Definition extends { replies: infer Replies } ? Replies : never

/** Whether a type is a union of several types. */
type IsUnion<Type, Each = Type> = Each extends unknown ? ([Type] extends [Each] ? false : true) : never

type SchemaOfReply<Reply> = Reply extends { text: unknown }
  ? never
  : Reply extends { json: infer Schema extends z.ZodType }
    ? Schema
    : null

/**
 * The schema of the only reply: null if that has no body, never if the operation streams, redirects or has several
 * replies.
 */
export type OnlyReplySchema<Definition> =
  true extends IsUnion<keyof RepliesOf<Definition>>
    ? never
    : keyof RepliesOf<Definition> extends 200 | 201 | 202 | 204
      ? SchemaOfReply<RepliesOf<Definition>[keyof RepliesOf<Definition>]>
      : never
