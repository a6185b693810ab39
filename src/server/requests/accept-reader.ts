import type { MiddlewareHandler } from 'hono/types'
import type { AssistantVersion } from '../../contract/assistant-request.ts'
import type { AppEnv } from '../app-env.ts'
import { requireJsonBody } from '../bodies/read-json.ts'
import { requireReader } from './reader-request.ts'
import { admitReader, chargeRefusedBody, type ReaderUse } from './request-limits.ts'
import type { ServerParts } from '../server-parts.ts'

export interface AcceptedBody {
  bytesMax: number
  /** Set when the body is a question. */
  version?: AssistantVersion | undefined
}

/**
 * Runs before every handler whose requests count against an assistant key, in this order: a body costs more to read than a
 * key, so bodies are read only with a valid key and from networks within their limits.
 */
export function acceptReader(
  parts: ServerParts,
  use: ReaderUse,
  { bytesMax, version }: AcceptedBody,
): MiddlewareHandler<AppEnv>[] {
  const onLargeBodyRefused: ServerParts['onLargeBodyRefused'] = (c) => void chargeRefusedBody(c, parts)
  return [
    requireReader(parts),
    admitReader(parts, use),
    requireJsonBody({ ...parts, onLargeBodyRefused }, bytesMax, version),
  ]
}
