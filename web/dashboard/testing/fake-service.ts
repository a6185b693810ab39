import type { z } from 'zod'
import type { ErrorCode } from '../../../src/contract/error-codes.ts'
import { readErrorDetails } from '../../../src/contract/error-details.ts'
import { allOperations } from '../../../src/contract/operations/all-operations.ts'
import type { Operation } from '../../../src/contract/operations/operation.ts'
import type { OperationId, Reply } from '../api/call.ts'

type Table = typeof allOperations
type BodyOf<Id extends OperationId> = Table[Id] extends { body: infer Body extends z.ZodType }
  ? z.output<Body>
  : undefined

/** A request from a page. The body is parsed by the operation's schema. */
export interface SentRequest<Id extends OperationId = OperationId> {
  id: Id
  params: Record<string, string>
  query: Record<string, string>
  headers: Headers
  body: BodyOf<Id>
}

export type Answers = { [Id in OperationId]?: (request: SentRequest<Id>) => Reply<Table[Id]> | Response }

/** An error reply. */
export function refuse(status: number, code: ErrorCode, error: string, details?: { path: string; message: string }[]) {
  return Response.json({ error, message: error, code, requestId: 'req_1', ...(details && { details }) }, { status })
}

/**
 * Answers pages as the service would: requests must match an operation, and replies its schema. Operations without an
 * answer are refused, which the page shows.
 */
export class FakeService {
  answers: Answers
  readonly sent: SentRequest[] = []
  isReachable = true

  constructor(answers: Answers) {
    this.answers = answers
  }

  /** Bodies sent to an operation. */
  bodies<Id extends OperationId>(id: Id): BodyOf<Id>[] {
    return this.sent.filter((request) => request.id === id).map(({ body }) => body as BodyOf<Id>) // Filtered by the operation.
  }

  readonly fetch = async (input: string, init: RequestInit = {}): Promise<Response> => {
    if (!this.isReachable) throw new TypeError('Failed to fetch')
    const url = new URL(input, location.origin)
    if (url.pathname === '/healthz') return Response.json({ status: 'ok' })
    const found = findOperation(init.method ?? 'GET', url.pathname)
    if (found === null) throw new Error(`No operation is ${init.method ?? 'GET'} ${url.pathname}.`)
    const { operation, params } = found
    const sent = readBody(operation, init.body)
    if (!sent.success) return refuse(400, 'invalid_request', 'The request is invalid.', readErrorDetails(sent.error))
    operation.query?.parse(Object.fromEntries(url.searchParams))
    const request: SentRequest = {
      id: operation.id as OperationId, // From the table.
      params,
      query: Object.fromEntries(url.searchParams),
      headers: new Headers(init.headers),
      body: sent.data as never, // Typed by the schema.
    }
    this.sent.push(request)
    return this.#answer(operation, request)
  }

  async #answer(operation: Operation, request: SentRequest): Promise<Response> {
    const answer = this.answers[request.id] as ((request: SentRequest) => unknown) | undefined // Called with its own id.
    if (answer === undefined) return refuse(500, 'internal_error', `The test answers no ${request.id}.`)
    const reply = await answer(request)
    if (reply instanceof Response) return reply
    const [[status, shape] = []] = Object.entries(operation.replies)
    if (shape?.json === undefined) return new Response(null, { status: Number(status) })
    const parsed = shape.json.safeParse(reply)
    if (!parsed.success) return refuse(500, 'internal_error', `No reply of ${request.id}: ${parsed.error.message}`)
    return Response.json(parsed.data, { status: Number(status) })
  }
}

/** Validates the body and reports errors by field, as the service does. */
function readBody({ body }: Operation, sent: RequestInit['body']): z.ZodSafeParseResult<unknown> {
  if (body === undefined || typeof sent !== 'string') return { success: true, data: undefined }
  return body.safeParse(JSON.parse(sent))
}

function findOperation(method: string, path: string) {
  for (const operation of Object.values<Operation>(allOperations)) {
    if (operation.method !== method.toLowerCase()) continue
    const pattern = operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    const groups = new RegExp(`^${pattern}$`).exec(path)
    if (groups === null) continue
    const params = Object.entries(groups.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    return { operation, params: Object.fromEntries(params) as Record<string, string> }
  }
  return null
}
