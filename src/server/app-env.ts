import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { Session } from '../access/sign-in/sign-in.ts'
import type { Role } from '../contract/accounts.ts'
import type { AssistantQuestion } from '../contract/assistant-request.ts'
import type { ReaderUse } from '../contract/operations/operation.ts'
import type { ReaderSession } from '../access/readers/reader-sessions.ts'
import type { Limit } from '../access/limits/consume-limits.ts'
import type { Reader } from '../search/search-query.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import type { ApiKey } from '../store/accounts/keys.ts'
import type { Log } from '../telemetry/log.ts'

/** What every request carries through the handlers. */
export interface AppEnv {
  /** Empty where the application is called without a socket, as the commands do when no server runs. */
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    log: Log
    /** The client, as told by trusted hops only. */
    clientAddress: string
    /** Set once the body is being read. */
    hasJsonBody: boolean
    /** Set before the handlers of the assistant where the body was large. */
    question: AssistantQuestion
    /** Set before the handlers of every path that an assistant key opens. */
    readerRequest: ReaderRequest
    /** Set by `admitReader`, on every path whose requests count. */
    admission: Admission
    /** Set before the handlers of operations that only a session opens. */
    session: Session
    /** Set before the handlers of every path that an admin key opens. */
    organizationId: string
    /** Who acts, for people: set with `organizationId`. */
    actorName: string
    /** Who acts, for rules and for the audit log: set with `organizationId`. */
    actor: Actor
  }
}

/** Who acts: a key, a member who is signed in, or a command on this machine. */
export interface Actor {
  kind: 'key' | 'user' | 'local'
  /** Null for commands on this machine. */
  id: string | null
  /** For people. */
  name: string
  /** Keys that write are as good as owners, keys that read as good as viewers. */
  role: Role
}

export type AppContext = Context<AppEnv>

export type DocentServer = Hono<AppEnv>

/** A request with an assistant key for the site of that key. */
export interface ReaderRequest {
  key: ApiKey
  site: LiveSite
  reader: Reader
}

/** A request with an assistant key that passed all checks made before its body is read. */
export interface Admission {
  use: ReaderUse
  session: ReaderSession | null
  /** Counted once nothing else can refuse the request. */
  limits: readonly Limit[]
}
