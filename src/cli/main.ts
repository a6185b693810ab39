import { CommanderError } from 'commander'
import { makeFilesPrivate } from '../app/tighten-data-folder.ts'
import { SettingsError } from '../config/load-settings.ts'
import { AppError } from '../contract/app-error.ts'
import { createProgram } from './create-program.ts'

// Before any import or write that may create a file.
makeFilesPrivate()

/** Exit codes of the contract. */
const failed = 1
const wrongUse = 2

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = describeFailure(error)
}

/** Prints the error and returns the exit code. */
function describeFailure(error: unknown): number {
  // commander has already printed its message or the requested help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUse
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  if (error instanceof AppError) {
    for (const detail of error.details ?? [])
      if (detail.message !== message) process.stderr.write(`  - ${detail.path}: ${detail.message}\n`)
    return error.code === 'invalid_request' ? wrongUse : failed
  }
  return error instanceof SettingsError ? wrongUse : failed
}
