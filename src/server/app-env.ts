import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Log } from '../telemetry/log.ts'
import type { ReaderRequest } from './reader-request.ts'

/** What every request carries through the handlers. */
export interface AppEnv {
  /** Empty where the application is called without a socket, as the commands do when no server runs. */
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    log: Log
    /** The client, as told by trusted hops only. */
    clientAddress: string
    /** Set before the handlers of every path that an assistant key opens. */
    readerRequest: ReaderRequest
    /** Set before the handlers of every path that an admin key opens. */
    organizationId: string
    /** Who acts, for people: set with `organizationId`. */
    actorName: string
  }
}

export type AppContext = Context<AppEnv>
