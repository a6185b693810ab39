import { type Logger, pino } from 'pino'
import { maskSecrets } from '../base/mask-secrets.ts'
import { activeLogFields } from './work-context.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Structured logging. Events are noun-verb (`answer-finished`); fields carry ids and numbers, never keys, questions or
 * page text.
 */
export interface Log {
  debug(fields: Fields, event: string): void
  info(fields: Fields, event: string): void
  warn(fields: Fields, event: string): void
  error(fields: Fields, event: string): void
  child(fields: Fields): Log
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Receives log lines: one JSON object with a newline per call. */
export interface LogSink {
  write(line: string): void
}

/** Headers and fields that must never be logged, even by mistake. */
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
 * Every line carries the ids of the current unit of work (`work-context.ts`), unless the log was created with them.
 *
 * @param sink Default: standard error, which leaves standard output to commands.
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
      serializers: { error: (error: Error) => maskTexts(pino.stdSerializers.err(error)) },
      redact: { paths: redacted, censor: '(hidden)' },
    },
    sink,
  )
  return joinWithWork(log, {})
}

/** Messages of errors repeat what other programs said. */
function maskTexts<Shape extends object>(shape: Shape): Shape {
  const masked = Object.entries(shape).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? maskSecrets(value) : value,
  ])
  return Object.fromEntries(masked) as Shape // Only texts change.
}

/** @param known Fields that every line of this log already carries: parsers disagree about duplicate JSON keys. */
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
