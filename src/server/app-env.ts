import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { Session } from '../access/sign-in/sign-in.ts'
import type { Role } from '../contract/accounts.ts'
import type { ReaderUse } from '../contract/operations/operation.ts'
import type { QuestionFormat, QuestionFormats } from '../contract/question-formats.ts'
import type { ReaderSession } from '../access/readers/reader-sessions.ts'
import type { Limit } from '../access/limits/consume-limits.ts'
import type { Reader } from '../search/search-query.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import type { ApiKey } from '../store/accounts/keys.ts'
import type { Log } from '../telemetry/log.ts'

/** Per-request values that middleware hands to handlers. */
export interface AppEnv {
  /** Empty if the application is called without a socket, as commands do when no server runs. */
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    log: Log
    /** Client address, as reported by trusted hops only. */
    clientAddress: string
    /** Set once reading of the body has begun. */
    hasJsonBody: boolean
    /** Set before the assistant's handlers if the body was large. */
    question: QuestionFormats[QuestionFormat]
    /** Set before the handlers of all paths that need an assistant key. */
    readerRequest: ReaderRequest
    /** Set by `admitReader` on all paths whose requests count against limits. */
    admission: Admission
    /** Set before the handlers of operations that need a session. */
    session: Session
    /** Set before the handlers of all paths that need an admin key. */
    organizationId: string
    /** Display name of the actor; set with `organizationId`. */
    actorName: string
    /** For permission checks and the audit log; set with `organizationId`. */
    actor: Actor
  }
}

/** A key, a signed-in member, or a command on this machine. */
export interface Actor {
  kind: 'key' | 'user' | 'local'
  /** Null for commands on this machine. */
  id: string | null
  /** Display name. */
  name: string
  /** Keys with the scope `write` count as owners, others as viewers. */
  role: Role
}

export type AppContext = Context<AppEnv>

export type DocentServer = Hono<AppEnv>

/** A request with an assistant key, for the site of that key. */
export interface ReaderRequest {
  /** The site's public key if the request has none. */
  key: ApiKey
  isAnonymous: boolean
  site: LiveSite
  reader: Reader
}

/** A request with an assistant key that passed all checks before its body is read. */
export interface Admission {
  use: ReaderUse
  session: ReaderSession | null
  /** Consumed once nothing else can refuse the request. */
  limits: readonly Limit[]
}
