import type { AgentJobContext } from '../../../../src/contract/agent-job.ts'
import { say } from '../../../words/say.ts'

/** Limits of the service. */
const filesMax = 20
const fileCharsMax = 20_000

/** Larger files are not read. */
const fileBytesMax = 200_000

export interface ContextReading {
  context: AgentJobContext[]
  /** Sentences on which files were rejected and why. */
  refusals: string[]
}

/** Adds selected files. A file with the same name replaces the previous one. */
export async function addContextFiles(
  before: readonly AgentJobContext[],
  files: readonly File[],
): Promise<ContextReading> {
  const context = [...before]
  const refusals: string[] = []
  for (const file of files) {
    const at = context.findIndex(({ path }) => path === file.name)
    const text = file.size > fileBytesMax ? null : await readText(file)
    if (text === null)
      refusals.push(say('{name} is not a text file, or is longer than 20,000 characters.', { name: file.name }))
    else if (text === '') refusals.push(say('{name} is empty.', { name: file.name }))
    else if (at === -1 && context.length >= filesMax)
      refusals.push(say('{name} was not added: at most {filesMax} files are allowed.', { name: file.name, filesMax }))
    else context.splice(at === -1 ? context.length : at, 1, { type: 'code', value: text, path: file.name })
  }
  return { context, refusals }
}

/** Null if it is not UTF-8 or too long. */
async function readText(file: File): Promise<string | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return text.length > fileCharsMax || text.includes('\0') ? null : text
  } catch {
    return null
  }
}
