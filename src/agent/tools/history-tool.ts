import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { quotePath } from '../../git/repository-path.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { findFile } from './find-file.ts'

const inputSchema = z.strictObject({
  path: z.string().min(1),
  from: z.number().int().min(1).optional().describe('First line, to see who wrote each.'),
  to: z.number().int().min(1).optional().describe('Last line.'),
})

const commitsMax = 15
const linesMax = 100
const textCharsMax = 200

/** Shows the past of a file, or of some of its lines. */
export function createHistoryTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'history',
    description:
      'Shows the last commits of a file, or with "from" and "to" the commit of each line. Without your changes.',
    inputSchema,
    resultCharsMax: 20_000,
    async run({ path: name, from, to }, signal) {
      const path = await findFile(deps, name, signal)
      if (from === undefined && to === undefined) return listCommits(deps, path, signal)
      const first = from ?? Math.max(1, (to ?? 1) - 20)
      const lines = { from: first, to: Math.min(to ?? first + 20, first + linesMax - 1) }
      const blamed = await deps.history.blame(path, lines, signal)
      if (blamed === null) {
        throw new AppError(
          'invalid_request',
          `The lines of ${quotePath(path)} cannot be traced: the file is new, shorter, or its past is not on this machine.`,
        )
      }
      return {
        path,
        lines: blamed.map(({ line, commit, date, author, title, text }) => ({
          line,
          commit: commit.slice(0, 12),
          date: date.slice(0, 10),
          author,
          title: title.slice(0, textCharsMax),
          text: text.slice(0, textCharsMax),
        })),
      }
    },
  }
}

async function listCommits({ history }: AgentToolDeps, path: string, signal: AbortSignal) {
  const commits = await history.log(path, commitsMax, signal)
  const shown = commits.map(({ commit, date, author, title }) => ({
    commit: commit.slice(0, 12),
    date,
    author,
    title: title.slice(0, textCharsMax),
  }))
  return {
    path,
    commits: shown,
    ...(commits.length === 0 && { note: 'No commit is known: the file is new, or its past is not on this machine.' }),
  }
}
