import type { AgentJobContext } from '../../../../src/contract/agent-job.ts'

/** What the service takes. */
const filesMax = 20
const fileCharsMax = 20_000

/** Larger ones are not read. */
const fileBytesMax = 200_000

export interface ContextReading {
  context: AgentJobContext[]
  /** Sentences that say what was left out, and why. */
  refusals: string[]
}

/** Adds what somebody has chosen from their machine. A file of the same name takes the place of the one before. */
export async function addContextFiles(
  before: readonly AgentJobContext[],
  files: readonly File[],
): Promise<ContextReading> {
  const context = [...before]
  const refusals: string[] = []
  for (const file of files) {
    const at = context.findIndex(({ path }) => path === file.name)
    const text = file.size > fileBytesMax ? null : await readText(file)
    if (text === null) refusals.push(`${file.name} is not text, or too large: take at most 20,000 characters.`)
    else if (text === '') refusals.push(`${file.name} is empty.`)
    else if (at === -1 && context.length >= filesMax)
      refusals.push(`${file.name} is one too many: take at most ${filesMax}.`)
    else context.splice(at === -1 ? context.length : at, 1, { type: 'code', value: text, path: file.name })
  }
  return { context, refusals }
}

/** Null for what is not UTF-8 or too long. */
async function readText(file: File): Promise<string | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return text.length > fileCharsMax || text.includes('\0') ? null : text
  } catch {
    return null
  }
}
