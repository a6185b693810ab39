import type { FindingList } from '../finding-list.ts'
import { cleanText } from './clean-text.ts'
import type { FileTree } from './file-tree.ts'

/** Largest page or snippet that is read. */
const pageBytesMax = 1024 * 1024

/** The files of one reading, and where their faults go. */
export interface SourceFiles {
  tree: FileTree
  /** `tree.paths`, for lookups. */
  paths: ReadonlySet<string>
  findings: FindingList
}

/** The text of a file, cleaned; null, with a finding, when it cannot be read, is too large or is not UTF-8. */
export async function readText(
  source: Pick<SourceFiles, 'tree' | 'findings'>,
  file: string,
  bytesMax = pageBytesMax,
): Promise<string | null> {
  const report = (rule: string, message: string) => {
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
    return cleanText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return report('file-not-utf-8', 'The file is not UTF-8. Save it in that encoding.')
  }
}
