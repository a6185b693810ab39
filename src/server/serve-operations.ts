import { matchedRoutes } from 'hono/route'
import type { MiddlewareHandler } from 'hono/types'
import type { z } from 'zod'
import { readErrorDetails } from '../contract/error-details.ts'
import {
  bodyBytesMaxDefault,
  findOnlyReply,
  type OnlyReplySchema,
  type Operation,
  type OperationDefinition,
  type OperationRequest,
  type Operations,
  type ReaderUse,
} from '../contract/operations/operation.ts'
import type { Site } from '../store/sites/sites.ts'
import type { AppContext, AppEnv, DocentServer } from './app-env.ts'
import { findOwnSite } from './requests/own-site.ts'
import { requireSession } from './requests/page-session.ts'
import { invalidRequest, readJson, requireJsonBody, requireJsonType } from './bodies/read-json.ts'
import { requireReader } from './requests/reader-request.ts'
import { adminPaths } from './requests/require-admin.ts'
import { type AuditNote, recordAudit } from './requests/record-audit.ts'
import type { ServerDeps } from './server-deps.ts'
import { announceChange } from './requests/announce-change.ts'
import type { QuestionFormat } from '../contract/question-formats.ts'
import { admitReader, chargeRefusedBody } from './requests/request-limits.ts'

export interface HandledRequest<Definition extends OperationDefinition> extends OperationRequest<Definition> {
  c: AppContext
  /** The site in the path of an operation on a site: it exists and belongs to the request's organization. */
  site: Definition extends { path: `${typeof sitePath}${string}` } ? Site : undefined
}

const sitePath = '/admin/v1/sites/{id}'

/** The value that an operation's reply is parsed from; null if the reply is empty. */
type ReplyValue<Definition> =
  OnlyReplySchema<Definition> extends infer Schema extends z.ZodType ? z.input<Schema> : null

/**
 * What a handler returns: a response if the operation streams or has several replies, otherwise the value of the reply.
 * For audited operations, also the audit note: null if nothing changed, `recorded` if the changing transaction wrote
 * the entry itself.
 */
type HandlerResult<Definition> = [OnlyReplySchema<Definition>] extends [never]
  ? Response
  : Definition extends { audit: string }
    ? AuditedResult<ReplyValue<Definition>>
    : ReplyValue<Definition>

interface AuditedResult<Value> {
  /** A function if the reply must be read from the database again, so that the entry is written even if that fails. */
  reply: Value | (() => Promise<Value>)
  audit: AuditNote | null | 'recorded'
}

/** One handler per operation of a table. */
export type Handlers<Table extends Operations> = {
  readonly [Id in keyof Table]: (
    request: HandledRequest<Table[Id]>,
  ) => HandlerResult<Table[Id]> | Promise<HandlerResult<Table[Id]>>
}

/** A handler whose types were already checked against its operation. */
type AnyHandler = (request: RequestParts & { c: AppContext; site: Site | undefined }) => unknown

type RequestParts = Record<keyof OperationRequest<Operation>, unknown>

/**
 * Mounts all operations of a table: access checks, then the body, then the handler with the validated request. Replies
 * are parsed by their schema, so that fields missing from the contract cannot leak.
 */
export function serveOperations<Table extends Operations>(
  app: DocentServer,
  deps: ServerDeps,
  operations: Table,
  handlers: Handlers<Table>,
): void {
  for (const operation of Object.values(operations)) {
    const handler = handlers[operation.id] as AnyHandler // Typed by its operation, whose values it is called with.
    app.on(operation.method.toUpperCase(), [toRoutePath(operation.path)], ...listChecks(deps, operation), (c) =>
      handle(c, deps, operation, handler),
    )
  }
}

/** Finds the operation that a request will reach, before any of its checks have run. */
export function createOperationFinder(operations: Operations): (c: AppContext) => Operation | null {
  const byRoute = new Map(
    Object.values(operations).map((each) => [`${each.method.toUpperCase()} ${toRoutePath(each.path)}`, each]),
  )
  return (c) => {
    for (const { method, path } of matchedRoutes(c)) {
      const found = byRoute.get(`${method} ${path}`)
      if (found !== undefined) return found
    }
    return null
  }
}

/** Converts `/keys/{id}` to the router's syntax. */
function toRoutePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/**
 * Checks of an operation. Those that need a role are checked by `requireAdmin`, which guards all paths with their
 * prefixes.
 */
function listChecks(deps: ServerDeps, operation: Operation): MiddlewareHandler<AppEnv>[] {
  const { id, path, access, countsAs, questionFormat, body } = operation
  const { bodyBytesMax: bytesMax = bodyBytesMaxDefault } = operation
  if (countsAs !== undefined) return acceptReader(deps, countsAs, { bytesMax, questionFormat })
  const bodyChecks = body === undefined ? [] : [requireJsonBody(deps, bytesMax)]
  if (access === 'reader') return [requireReader(deps), ...bodyChecks]
  if (access === 'session') return [requireSession(deps), ...bodyChecks]
  if (access === 'public') return bodyChecks
  if (access !== 'signature' && !adminPaths.some((prefix) => path.startsWith(prefix))) {
    throw new Error(`The operation ${id} needs a role, and nothing checks it at ${path}.`)
  }
  return []
}

async function handle(c: AppContext, deps: ServerDeps, operation: Operation, handler: AnyHandler): Promise<Response> {
  const request = await readRequest(c, operation)
  const site = operation.path.startsWith(sitePath) ? await findOwnSite(c, deps, c.req.param('id') ?? '') : undefined
  const result = await handler({ c, ...request, site })
  const only = findOnlyReply(operation)
  if (only === null) return result as Response // Guaranteed by the handler's type.
  const { status, reply } = only
  const value = operation.audit === undefined ? result : await recordResult(c, deps, operation.audit, result)
  const body = reply.json?.parse(value)
  if (operation.dashboardEvent !== undefined) announceChange(c, deps, operation.dashboardEvent, body)
  if (body === undefined) return c.body(null, 204)
  return c.json(body as object, status as 200 | 201 | 202) // All our replies are objects or arrays.
}

/** Writes the audit entry of a successful call. @returns The value of its reply. */
async function recordResult(
  c: AppContext,
  deps: ServerDeps,
  action: NonNullable<Operation['audit']>,
  result: unknown,
): Promise<unknown> {
  const { reply, audit } = result as AuditedResult<unknown> // Guaranteed by the handler's type.
  if (audit !== null && audit !== 'recorded') await recordAudit(c, deps, { action, ...audit })
  return typeof reply === 'function' ? reply() : reply
}

/** @throws {AppError} `invalid_request`, `invalid_json`. */
async function readRequest(c: AppContext, operation: Operation): Promise<RequestParts> {
  const { query, params, headers, body, handlerReadsBody } = operation
  const readsBody = body !== undefined && handlerReadsBody === undefined
  return {
    query: validate(query, readQuery(c)),
    params: validate(params, c.req.param()),
    headers: validate(headers, readHeaders(c, headers)),
    body: readsBody ? validate(body, await readBody(c)) : undefined,
  }
}

function validate(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalidRequest(readErrorDetails(parsed.error))
  return parsed.data
}

/** A repeated name becomes an array, which no schema accepts. */
function readQuery(c: AppContext): Record<string, string | string[]> {
  const values = Object.entries(c.req.queries())
  return Object.fromEntries(
    values.map(([name, [first = '', ...others]]) => [name, others.length > 0 ? [first, ...others] : first]),
  )
}

/** Keyed by the schema's names, because header names are case-insensitive. */
function readHeaders(c: AppContext, schema: z.ZodObject | undefined): Record<string, string> {
  const names = Object.keys(schema?.shape ?? {})
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = c.req.header(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** A missing body counts as empty, so that the error names the missing fields. */
async function readBody(c: AppContext): Promise<unknown> {
  if (c.req.header('content-type') === undefined) return {}
  requireJsonType(c)
  return readJson(c)
}

interface AcceptedBody {
  bytesMax: number
  /** Set if the body is a question. */
  questionFormat?: QuestionFormat | undefined
}

/**
 * Checks for every handler whose requests count against an assistant key. The order matters: a body costs more to read
 * than a key, so bodies are read only with a valid key and from networks within their limits.
 */
function acceptReader(
  deps: ServerDeps,
  use: ReaderUse,
  { bytesMax, questionFormat }: AcceptedBody,
): MiddlewareHandler<AppEnv>[] {
  const onLargeBodyRefused: ServerDeps['onLargeBodyRefused'] = (c) => void chargeRefusedBody(c, deps)
  return [
    requireReader(deps, use === 'tool'),
    admitReader(deps, use),
    requireJsonBody({ ...deps, onLargeBodyRefused }, bytesMax, questionFormat),
  ]
}
