import type { MiddlewareHandler } from 'hono/types'
import type { ReaderUse } from '../../contract/operations/operation.ts'
import type { QuestionFormat } from '../../contract/question-formats.ts'
import type { AppEnv } from '../app-env.ts'
import { requireJsonBody } from '../bodies/read-json.ts'
import { requireReader } from './reader-request.ts'
import { admitReader, chargeRefusedBody } from './request-limits.ts'
import type { ServerDeps } from '../server-deps.ts'

export interface AcceptedBody {
  bytesMax: number
  /** Set if the body is a question. */
  questionFormat?: QuestionFormat | undefined
}

/**
 * Checks for every handler whose requests count against an assistant key. The order matters: a body costs more to read
 * than a key, so bodies are read only with a valid key and from networks within their limits.
 */
export function acceptReader(
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
