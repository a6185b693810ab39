import { z } from 'zod'

export const fileDiffSchema = z
  .object({
    path: z.string(),
    previousPath: z.string().nullable().meta({ description: 'Where a renamed file was.' }),
    kind: z.enum(['added', 'modified', 'deleted', 'renamed']),
    additions: z.number().int(),
    deletions: z.number().int(),
    isBinary: z.boolean(),
    becomes: z
      .enum(['link', 'submodule', 'executable'])
      .exactOptional()
      .meta({ description: 'What is no plain file after the change and was one before.' }),
    patch: z.string().nullable().meta({
      description:
        'Unified diff from its first `@@` on, as the files have it: text, never markup. Null for what is not text, for renames alone, and beyond 400 kB.',
    }),
  })
  .meta({ id: 'FileDiff' })

export const agentJobDiffSchema = z
  .object({
    round: z.number().int().meta({ description: 'The round and the step that it is of.' }),
    step: z.number().int(),
    baseCommit: z.string().meta({ description: 'The commit that it is compared with.' }),
    files: z.array(fileDiffSchema).meta({ description: 'In the order of their paths, at most 200.' }),
    filesTotal: z.number().int(),
  })
  .meta({ id: 'AgentJobDiff' })

export type FileDiffResource = z.output<typeof fileDiffSchema>
export type AgentJobDiffResource = z.output<typeof agentJobDiffSchema>
