import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { quotePath } from '../../git/repository-path.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { readTextFile } from './text-file.ts'

const inputSchema = z.object({
  path: z.string().min(1).describe('From the root of the files, such as "guides/install.mdx".'),
  from: z.number().int().min(1).optional().describe('First line, from 1.'),
  to: z.number().int().min(1).optional().describe('Last line.'),
})

const linesMax = 800
const charsMax = 40_000

/** Reads a file or a range of its lines, with line numbers. */
export function createReadFileTool({ overlay, contexts }: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'read',
    description:
      'Reads a text file. Each line comes as its number, a tab and the line; number and tab are not part of the file.',
    inputSchema,
    resultCharsMax: 60_000,
    async run({ path, from = 1, to }, signal) {
      const context = contexts.find(path)
      const files = context === null ? overlay : { read: () => contexts.read(context, signal) }
      const lines = (await readTextFile(files, path)).split(/\r?\n/)
      if (from > lines.length) {
        throw new AppError('invalid_request', `${quotePath(path)} has ${lines.length} lines. Read from an earlier one.`)
      }
      const shown = takeLines(lines, from, Math.min(to ?? lines.length, from + linesMax - 1, lines.length))
      const last = from + shown.length - 1
      const isCut = last < Math.min(to ?? lines.length, lines.length)
      return {
        path,
        lines: lines.length,
        text: shown.map((line, index) => `${from + index}\t${line}`).join('\n'),
        ...(isCut && { note: `This ends at line ${last}. Read on from line ${last + 1}.` }),
      }
    },
  }
}

/** Whole lines, at least one. */
function takeLines(lines: readonly string[], from: number, to: number): string[] {
  const taken: string[] = []
  let chars = 0
  for (const line of lines.slice(from - 1, to)) {
    chars += line.length + 1
    if (taken.length > 0 && chars > charsMax) break
    taken.push(line.slice(0, charsMax))
  }
  return taken
}
