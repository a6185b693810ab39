import { pino } from 'pino'

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

/** @param sink Defaults to standard error, so that standard output stays free for what commands print. */
export function createLog(level: LogLevel, sink: LogSink = process.stderr): Log {
  return pino(
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
}

export const silentLog: Log = createLog('silent')
