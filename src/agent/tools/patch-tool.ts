import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { quotePath } from '../../git/repository-path.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import type { TextEdit } from './apply-edits.ts'
import { deleteFile } from './delete-file-tool.ts'
import { editFile } from './edit-file-tool.ts'
import { findFile } from './find-file.ts'
import { findLineOfOffset, findText } from './find-text.ts'
import { moveTo } from './move-file-tool.ts'
import { type FilePatch, parsePatch, type PatchHunk } from './parse-patch.ts'
import { readTextFile } from './text-file.ts'
import { writeNewText } from './write-file-tool.ts'

const inputSchema = z.strictObject({ patch: z.string().min(1) })

/** Applies a patch to any number of files, all or nothing. */
export function createPatchTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'patch',
    description:
      'Applies a patch, all or nothing: a unified diff, or "*** Begin Patch" with "*** Update File: path", "@@" and lines that begin with a space, "-" or "+".',
    inputSchema,
    resultCharsMax: 20_000,
    async run({ patch }, signal) {
      const done = []
      for (const file of parsePatch(patch)) done.push(await applyFile(deps, file, signal))
      return { files: done }
    },
  }
}

async function applyFile(deps: AgentToolDeps, file: FilePatch, signal: AbortSignal) {
  if (file.kind === 'add') return writeNewText(deps, { path: file.path, content: file.content }, signal)
  const path = await findFile(deps, file.path, signal)
  if (file.kind === 'delete') return deleteFile(deps, path, signal)
  const text = await readTextFile(deps.overlay, path)
  const edits = file.hunks.map((hunk) => toEdit(path, text, hunk))
  const edited = edits.length === 0 ? { path } : await editFile(deps, path, edits, signal)
  return file.to === null ? edited : { ...edited, ...(await moveTo(deps, { from: path, to: file.to }, signal)) }
}

/** A hunk as an edit near its line, or below its heading. */
function toEdit(path: string, text: string, { before, after, near, heading }: PatchHunk): TextEdit {
  const above = heading === '' ? undefined : findText(text, heading).ranges[0]
  if (before.length === 0) return insertLines(path, text, { after, near, above: above?.end })
  const line = near ?? (above === undefined ? 1 : findLineOfOffset(text, above.start))
  return { find: before.join('\n'), replace: after.join('\n'), near: line }
}

/** Lines without any around them go behind the heading, or to the end of the file. */
function insertLines(
  path: string,
  text: string,
  { after, near, above }: { after: readonly string[]; near: number | null; above: number | undefined },
): TextEdit {
  const lines = text.split(/\r?\n/)
  const line =
    above === undefined
      ? near === null
        ? lines.findLastIndex((row) => row !== '') + 1
        : near
      : findLineOfOffset(text, above)
  const anchor = lines[line - 1]
  if (anchor === undefined || anchor.trim() === '') {
    throw new AppError(
      'invalid_request',
      `A hunk for ${quotePath(path)} has only new lines. Add a line of the file before or behind them. Nothing was changed.`,
    )
  }
  return { find: anchor, replace: [anchor, ...after].join('\n'), near: line }
}
