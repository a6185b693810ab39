import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { AppError } from '../contract/app-error.ts'

export interface CredentialOptions {
  /**
   * File containing a token; `-` for standard input. Not the token itself: every user of the machine can see arguments.
   */
  tokenFile?: string | undefined
  tokenUser?: string | undefined
}

/** The given credential, or null. @throws {AppError} if the file is empty. */
export async function readCredential({
  tokenFile,
  tokenUser,
}: CredentialOptions): Promise<{ token: string; username?: string } | null> {
  if (tokenFile === undefined) return null
  const text = tokenFile === '-' ? await readAll(process.stdin) : await readFile(tokenFile, 'utf8')
  const token = text.trim()
  if (token === '') throw new AppError('invalid_request', 'The token file is empty.')
  return { token, ...(tokenUser === undefined ? {} : { username: tokenUser }) }
}
