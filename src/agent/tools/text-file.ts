import { AppError } from '../../contract/app-error.ts'
import { decodeText } from '../../git/trees/decode-text.ts'
import { quotePath } from '../../git/repository-path.ts'

/** Reads files for a tool. */
export interface FileReader {
  read(path: string): Promise<Uint8Array>
}

/** @throws {AppError} if the file does not exist or is not UTF-8 text. */
export async function readTextFile(files: FileReader, path: string): Promise<string> {
  const text = decodeText(await files.read(path))
  return text ?? refuseBinary(path)
}

export function refuseBinary(path: string): never {
  throw new AppError('invalid_request', `${quotePath(path)} is not a text file. Leave it as it is.`)
}

/** The line ending of most lines of a text. */
export function findLineEnd(text: string): '\n' | '\r\n' {
  const windows = text.split('\r\n').length - 1
  const all = text.split('\n').length - 1
  return windows > 0 && windows * 2 >= all ? '\r\n' : '\n'
}

export function withLineEnd(text: string, lineEnd: '\n' | '\r\n'): string {
  const plain = text.replaceAll('\r\n', '\n')
  return lineEnd === '\n' ? plain : plain.replaceAll('\n', '\r\n')
}
