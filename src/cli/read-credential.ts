import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { AppError } from '../contract/app-error.ts'

export interface CredentialOptions {
  /** A file that holds a token; `-` for standard input. Never the token: arguments are seen by every user of the machine. */
  tokenFile?: string | undefined
  tokenUser?: string | undefined
}

/** The credential that a command was given; null without one. @throws {AppError} for an empty file. */
export async function readCredential({
  tokenFile,
  tokenUser,
}: CredentialOptions): Promise<{ token: string; username?: string } | null> {
  if (tokenFile === undefined) return null
  const text = tokenFile === '-' ? await readAll(process.stdin) : await readFile(tokenFile, 'utf8')
  const token = text.trim()
  if (token === '') throw new AppError('invalid_request', 'The file of the token is empty.')
  return { token, ...(tokenUser === undefined ? {} : { username: tokenUser }) }
}
