import { type Logger, pino } from 'pino'
import { activeLogFields } from './work-context.ts'

type Fields = Readonly<Record<string, unknown>>

/** Structured log lines. Events are noun-verb (`answer-finished`); fields carry ids and numbers, never keys, questions or page text. */
export interface Log {
  debug(fields: Fields, event: string): void
  info(fields: Fields, event: string): void
  warn(fields: Fields, event: string): void
  error(fields: Fields, event: string): void
  child(fields: Fields): Log
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Where log lines go: one JSON object and a line end per call. */
export interface LogSink {
  write(line: string): void
}

/** Headers and fields that must not be logged even by mistake. */
const redacted = [
  'authorization',
  'key',
  'token',
  'password',
  'secret',
  'threadKey',
  'headers.authorization',
  'headers.cookie',
]

/**
 * Every line carries the ids of the work that it is about (`work-context.ts`), unless the log was told them already.
 *
 * @param sink Defaults to standard error, so that standard output stays free for what commands print.
 */
export function createLog(level: LogLevel, sink: LogSink = process.stderr): Log {
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'event',
      errorKey: 'error',
      serializers: { error: pino.stdSerializers.err },
      redact: { paths: redacted, censor: '(hidden)' },
    },
    sink,
  )
  return joinWithWork(log, {})
}

/** @param known What lines of this log carry anyway: twice in one object, JSON would be read differently by everyone. */
function joinWithWork(log: Logger, known: Fields): Log {
  const join = (fields: Fields): Fields => {
    const active = Object.entries(activeLogFields()).filter(([name]) => !(name in known))
    return active.length === 0 ? fields : { ...Object.fromEntries(active), ...fields }
  }
  return {
    debug: (fields, event) => (log.isLevelEnabled('debug') ? log.debug(join(fields), event) : undefined),
    info: (fields, event) => (log.isLevelEnabled('info') ? log.info(join(fields), event) : undefined),
    warn: (fields, event) => log.warn(join(fields), event),
    error: (fields, event) => log.error(join(fields), event),
    child: (fields) => joinWithWork(log.child(fields), { ...known, ...fields }),
  }
}

export const silentLog: Log = createLog('silent')
