import { z } from 'zod'
import {
  findingSchema,
  identitySecretSchema,
  type KeyCreate,
  keyCreatedSchema,
  keyListSchema,
  keySchema,
  siteListSchema,
  siteSchema,
  type siteCreateSchema,
  type siteUpdateSchema,
  syncRunSchema,
} from '../contract/admin.ts'
import { AppError } from '../contract/app-error.ts'
import { errorBodySchema } from '../contract/error-body.ts'

/** Sends a request: over the network, or into an application in this process. */
export type Send = (path: string, init: RequestInit) => Promise<Response>

const findingListSchema = z.object({ items: z.array(findingSchema) })

/** The admin API, typed. Every method throws the `AppError` that the server answered with. */
export type AdminClient = ReturnType<typeof createAdminClient>

/** @param token An admin key, or the local token of the running server. */
export function createAdminClient(send: Send, token: string) {
  const request = async <Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    body?: object,
  ): Promise<z.output<Schema>> => {
    const response = await send(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    })
    return readReply(response, schema)
  }
  const keys = '/admin/v1/keys'
  const sites = '/admin/v1/sites'
  const at = (base: string, id: string) => `${base}/${encodeURIComponent(id)}`
  return {
    listKeys: (cursor: string | null = null) => request(keyListSchema, 'GET', withCursor(keys, cursor)),
    createKey: (key: KeyCreate) => request(keyCreatedSchema, 'POST', keys, key),
    revokeKey: (id: string) => request(keySchema, 'POST', `${at(keys, id)}/revoke`),
    listSites: (cursor: string | null = null) => request(siteListSchema, 'GET', withCursor(sites, cursor)),
    createSite: (site: z.input<typeof siteCreateSchema>) => request(siteSchema, 'POST', sites, site),
    getSite: (id: string) => request(siteSchema, 'GET', at(sites, id)),
    changeSite: (id: string, change: z.input<typeof siteUpdateSchema>) =>
      request(siteSchema, 'PATCH', at(sites, id), change),
    removeSite: (id: string) => request(z.null(), 'DELETE', at(sites, id)),
    syncSite: (id: string) => request(syncRunSchema, 'POST', `${at(sites, id)}/sync`),
    getSyncRun: (id: string, runId: string) =>
      request(syncRunSchema, 'GET', `${at(sites, id)}/runs/${encodeURIComponent(runId)}`),
    makeIdentitySecret: (id: string) => request(identitySecretSchema, 'POST', `${at(sites, id)}/identity-secret`),
    listFindings: (id: string) => request(findingListSchema, 'GET', `${at(sites, id)}/findings`),
  }
}

function withCursor(path: string, cursor: string | null): string {
  return cursor === null ? path : `${path}?cursor=${encodeURIComponent(cursor)}`
}

async function readReply<Schema extends z.ZodType>(response: Response, schema: Schema): Promise<z.output<Schema>> {
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (response.ok) return schema.parse(body)
  const { error, code, details } = errorBodySchema.parse(body)
  throw new AppError(code, error, details === undefined ? {} : { details })
}
