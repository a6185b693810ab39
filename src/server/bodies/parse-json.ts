import { AppError } from '../../contract/app-error.ts'

/** @param bytes UTF-8. @throws {AppError} `invalid_json`. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw invalidJson(error)
  }
}

export function invalidJson(cause: unknown): AppError {
  return new AppError('invalid_json', 'The body is not valid JSON. Check its quotes, commas and brackets.', { cause })
}
