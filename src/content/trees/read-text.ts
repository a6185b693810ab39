import type { FindingList } from '../finding-list.ts'
import { cleanText } from './clean-text.ts'
import type { FileTree } from './file-tree.ts'
import type { SiteRule } from '../finding-rules.ts'

/** Largest page or snippet. */
export const pageBytesMax = 1024 * 1024

/** The files of a site being read, and its findings. */
export interface SourceFiles {
  tree: FileTree
  /** `tree.paths` as a set. */
  paths: ReadonlySet<string>
  findings: FindingList
}

/** Returns the cleaned text of a file; null, with a finding, if it is unreadable, too large or not UTF-8. */
export async function readText(
  source: Pick<SourceFiles, 'tree' | 'findings'>,
  file: string,
  bytesMax = pageBytesMax,
): Promise<string | null> {
  const text = await readStoredText(source, file, bytesMax)
  return text === null ? null : cleanText(text)
}

/** Like `readText`, but returns the text as it is stored: encoding it restores the bytes. */
export async function readStoredText(
  source: Pick<SourceFiles, 'tree' | 'findings'>,
  file: string,
  bytesMax = pageBytesMax,
): Promise<string | null> {
  const report = (rule: SiteRule, message: string) => {
    source.findings.add({ file, line: null, rule, message })
    return null
  }
  let bytes: Uint8Array
  try {
    bytes = await source.tree.read(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return report('file-unreadable', `The file cannot be read: ${reason}`)
  }
  if (bytes.byteLength > bytesMax)
    return report('file-too-large', `The file is larger than ${bytesMax} bytes. Split it.`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return report('file-not-utf-8', 'The file is not UTF-8. Save it in that encoding.')
  }
}
