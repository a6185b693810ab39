import { z } from 'zod'
import { toStorableText } from './storable-json.ts'
import { timestamp } from './timestamp.ts'

/** In characters. */
export const commentCharsMax = 60_000

export const diffSides = ['before', 'after'] as const
export type DiffSide = (typeof diffSides)[number]

export const reviewVerdicts = ['approve', 'request-changes', 'comment'] as const
export type ReviewVerdict = (typeof reviewVerdicts)[number]

/** Lines that one thread may be about. */
export const threadLinesMax = 200

const fullCommit = () => z.string().regex(/^[0-9a-f]{40,64}$/)
const lineNumber = () => z.number().int().min(1).max(10_000_000)

const reviewedHeadSchema = fullCommit().meta({
  description: 'The commit that you reviewed, from `head.commit`. Refused with 409 if the branch has moved since.',
})

const commentBodySchema = z.string().overwrite(toStorableText).max(commentCharsMax).trim().min(1).meta({
  description:
    'Markdown. In a thread, a block fenced as `suggestion` replaces the lines of the thread when it is applied.',
})

export const commentCreateSchema = z
  .object({
    body: commentBodySchema,
    asksAgent: z.boolean().nullish().meta({
      description: 'Puts the name of the agent before it, so that the job of the pull request works on it.',
    }),
  })
  .meta({ id: 'CommentCreate' })

export const commentUpdateSchema = z.object({ body: commentBodySchema }).meta({ id: 'CommentUpdate' })

export const commentSchema = z
  .object({
    id: z.string(),
    author: z.string(),
    body: z.string(),
    createdAt: timestamp(),
    authorId: z.string().nullable().meta({
      description: 'The member or key that may edit it; null for what the service records.',
    }),
    editedAt: timestamp().nullable(),
    appliedIn: z.string().nullable().meta({ description: 'The commit that applied its suggestion.' }),
  })
  .meta({ id: 'Comment' })

export const threadCreateSchema = z
  .object({
    path: z.string().min(1).max(4_096).meta({ description: 'Path from the root of the repository.' }),
    side: z.enum(diffSides).default('after'),
    line: lineNumber().meta({ description: 'The last line, counted from 1.' }),
    startLine: lineNumber()
      .nullish()
      .meta({ description: `The first line, at most ${threadLinesMax - 1} before the last. Default: the last line.` }),
    head: reviewedHeadSchema,
    body: commentBodySchema,
  })
  .refine(({ line, startLine }) => startLine == null || (startLine <= line && line - startLine < threadLinesMax), {
    path: ['startLine'],
    error: `must be at most ${threadLinesMax - 1} lines before \`line\``,
  })
  .meta({ id: 'ReviewThreadCreate' })

export const threadUpdateSchema = z.object({ resolved: z.boolean() }).meta({ id: 'ReviewThreadUpdate' })

export const threadSchema = z
  .object({
    id: z.string(),
    path: z.string(),
    side: z.enum(diffSides),
    firstLine: z.number().int(),
    lastLine: z.number().int(),
    isOutdated: z.boolean().meta({
      description: 'Whether the lines have changed since. Path and lines are then those of the commented commit.',
    }),
    text: z.string().meta({ description: 'The lines when the comment was written.' }),
    resolvedBy: z.string().nullable(),
    comments: z.array(commentSchema).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'ReviewThread' })

export const suggestionsApplySchema = z
  .object({
    comments: z.array(z.string().max(100)).min(1).max(100).meta({ description: 'Ids of comments with a suggestion.' }),
    head: reviewedHeadSchema,
    message: z.string().trim().min(1).max(10_000).nullish().meta({ description: 'Message of the commit.' }),
  })
  .meta({ id: 'SuggestionsApply' })

export const reviewCreateSchema = z
  .object({
    verdict: z.enum(reviewVerdicts),
    body: z
      .string()
      .overwrite(toStorableText)
      .max(commentCharsMax)
      .trim()
      .default('')
      .meta({ description: 'Markdown.' }),
    head: reviewedHeadSchema,
  })
  .refine(({ verdict, body }) => verdict === 'approve' || body !== '', {
    path: ['body'],
    error: 'must say something, unless you approve',
  })
  .meta({ id: 'ReviewCreate' })

export const reviewSchema = z
  .object({
    author: z.string(),
    verdict: z.enum(reviewVerdicts),
    body: z.string(),
    commit: z.string(),
    isCurrent: z.boolean().meta({ description: 'Whether nothing has been pushed since.' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'Review' })

export const branchUpdateSchema = z.object({ head: reviewedHeadSchema }).meta({ id: 'BranchUpdate' })

export const viewedFileSchema = z
  .object({
    path: z.string().min(1).max(4_096),
    blob: fullCommit().meta({ description: 'The content that you viewed, as the page names it.' }),
    viewed: z.boolean(),
  })
  .meta({ id: 'ViewedFile' })

/** The first suggestion of a comment: the lines that replace those of its thread; null if it has none. */
export function readSuggestion(body: string): string[] | null {
  return splitSuggestion(body)?.lines ?? null
}

/** The first suggestion of a comment, and the comment without it; null if it has none. Takes linear time. */
export function splitSuggestion(body: string): { lines: string[]; rest: string } | null {
  const lines = body.split(/\r?\n/)
  const start = lines.findIndex((line) => /^ {0,3}(?:`{3,}|~{3,})[ \t]*suggestion[ \t]*$/.test(line))
  const fence = /`+|~+/.exec(lines[start] ?? '')?.[0]
  if (fence === undefined) return null
  const isEnd = (line: string) => {
    const text = line.trim()
    return text.length >= fence.length && text === fence.charAt(0).repeat(text.length)
  }
  const length = lines.slice(start + 1).findIndex(isEnd)
  if (length === -1) return null
  const end = start + 1 + length
  return { lines: lines.slice(start + 1, end), rest: lines.toSpliced(start, length + 2).join('\n') }
}

/** A comment that suggests lines. The fence is longer than any in them. */
export function writeSuggestion(lines: string): string {
  const longest = Math.max(2, ...(lines.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}suggestion\n${lines}\n${fence}`
}

export type ThreadResource = z.output<typeof threadSchema>
export type ReviewResource = z.output<typeof reviewSchema>
export type CommentResource = z.output<typeof commentSchema>
