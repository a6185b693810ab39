import { z } from 'zod'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'

const inputSchema = z.object({
  pattern: z.string().min(1).describe('A part of one line, taken literally unless "regex" is true.'),
  regex: z.boolean().optional().describe('Whether the pattern is a POSIX extended regular expression.'),
  ignoreCase: z.boolean().optional(),
  under: z.string().optional().describe('Only this folder or file.'),
  filesOnly: z.boolean().optional().describe('Only the paths, each with the number of lines that match.'),
})

const matchesMax = 200
const countedMax = 50_000

/** Searches the current files. */
export function createGrepTool(deps: Pick<AgentToolDeps, 'grep' | 'contexts'>): ToolDefinition<typeof inputSchema> {
  return {
    name: 'grep',
    description: 'Finds the lines that hold a text, in all text files as they are now, your changes included.',
    inputSchema,
    resultCharsMax: 60_000,
    async run({ pattern, regex = false, ignoreCase = false, under = '', filesOnly = false }, signal) {
      const limit = filesOnly ? countedMax : matchesMax
      const query = { pattern, isRegex: regex, ignoreCase, pathPrefix: under, matchesMax: limit }
      const context = deps.contexts.find(under)
      const { matches, isWhole } = await (context === null
        ? deps.grep(query, signal)
        : deps.contexts.grep(context, query, signal))
      const note = isWhole ? {} : { note: 'There are more. Narrow the search.' }
      if (!filesOnly) return { matches: matches.map(({ path, line, text }) => ({ path, line, text })), ...note }
      const counts = new Map<string, number>()
      for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1)
      return { files: [...counts].map(([path, lines]) => ({ path, lines })), ...note }
    },
  }
}
