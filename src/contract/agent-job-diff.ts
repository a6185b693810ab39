import { z } from 'zod'

export const fileDiffSchema = z
  .object({
    path: z.string(),
    previousPath: z.string().nullable().meta({ description: 'Old path of a renamed file.' }),
    kind: z.enum(['added', 'modified', 'deleted', 'renamed']),
    additions: z.number().int(),
    deletions: z.number().int(),
    isBinary: z.boolean(),
    becomes: z
      .enum(['link', 'submodule', 'executable'])
      .exactOptional()
      .meta({ description: 'Set if the path is not a regular file on one side of the change.' }),
    patch: z.string().nullable().meta({
      description:
        'Unified diff starting at its first `@@`: plain text, never markup. Null for binary files, pure renames, and diffs over 400 kB.',
    }),
  })
  .meta({ id: 'FileDiff' })

export const agentJobDiffSchema = z
  .object({
    round: z.number().int().meta({ description: 'The round and step it belongs to.' }),
    step: z.number().int(),
    baseCommit: z.string().meta({ description: 'The commit it is compared with.' }),
    files: z.array(fileDiffSchema).meta({ description: 'Ordered by path, at most 200.' }),
    filesTotal: z.number().int(),
  })
  .meta({ id: 'AgentJobDiff' })

export type FileDiffResource = z.output<typeof fileDiffSchema>
export type AgentJobDiffResource = z.output<typeof agentJobDiffSchema>
