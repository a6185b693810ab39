import { maskSecrets } from '../../base/mask-secrets.ts'
import type { PullRequestCheck } from '../../codehost/code-host.ts'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import { checkedThings, messageOf, writeMessages } from '../../contract/message-texts.ts'
import type { FileDiff } from '../../git/commits/diff-commits.ts'
import { writeJobTrailer } from '../checks/job-commits.ts'
import type { FinishedWork } from '../tools/agent-tool.ts'
import { formatPathAsCode, escapeLine, writePlainLine } from './escape-line.ts'
import type { JobStop } from '../rounds/job-checkpoint.ts'

export interface PullRequestTextInput {
  jobId: string
  /** `provider/model`. */
  model: string
  prompt: string
  work: FinishedWork
  files: readonly FileDiff[]
  problems: readonly AgentProblem[]
  stop: JobStop | null
  /** The owner who let the job delete; null if none did. */
  deletionsAllowedBy: string | null
  /** Files that conflict with the base branch. */
  conflicts: readonly string[]
  /** The repository's pull-request template; null if it has none. */
  template: string | null
}

const titleCharsMax = 69
const titleSourceCharsMax = 1_000
const messageCharsMax = 4_000
const quoteCharsMax = 280
const summaryCharsMax = 700
const filesNamedMax = 5
const problemsNamedMax = 2
const checkCharsMax = 4_000

/** A plain title of at most 69 characters, cut between words. */
export function writeTitle(title: string): string {
  const line = writePlainLine(title, titleSourceCharsMax).replace(/[.。]$/, '')
  if (line.length <= titleCharsMax) return line
  const cut = line.slice(0, titleCharsMax - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > titleCharsMax / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/**
 * Writes what people read before they merge: the request, the reason, the changes, and what was and was not checked, in
 * at most 15 lines, within the repository's own template if it has one.
 */
export function writeBody(input: PullRequestTextInput): string {
  const { work, template } = input
  // Two trailing spaces are a Markdown line break.
  const lines = [
    `> ${escapeLine(input.prompt, quoteCharsMax)}`,
    '',
    escapeLine(work.summary, summaryCharsMax),
    ...(input.stop === null ? [] : [`**Not finished:** ${escapeLine(input.stop.message, summaryCharsMax)}`]),
    '',
    ...describeFiles(input.files),
    '',
    `${describeChecks(input.problems)}  `,
    `**Not checked:** whether the pages are factually correct, and how they look when built.${describeConflicts(input.conflicts)}  `,
    ...(work.notDone === '' ? [] : [`**Not done:** ${escapeLine(work.notDone, summaryCharsMax)}  `]),
    ...(input.deletionsAllowedBy === null
      ? []
      : [`**Deletions** were allowed by ${escapeLine(input.deletionsAllowedBy, 100)}.  `]),
    `Written by the agent of Docent (\`${input.model}\`), job \`${input.jobId}\`.`,
  ]
  const body = lines.join('\n')
  return template === null ? body : frame(template, body)
}

function describeFiles(files: readonly FileDiff[]): string[] {
  const named = files.slice(0, filesNamedMax).map(({ path, previousPath, kind, additions, deletions }) => {
    const from = previousPath === null ? '' : ` from ${formatPathAsCode(previousPath)}`
    return `- ${formatPathAsCode(path)}: ${kind}${from}, +${additions} −${deletions}`
  })
  const left = files.length - named.length
  // The last line sums up the rest to keep the list short.
  return left > 0 ? [...named.slice(0, -1), `- and ${left + 1} more files`] : named
}

function describeChecks(problems: readonly AgentProblem[]): string {
  const blocking = problems.filter(({ severity }) => severity === 'block')
  if (blocking.length === 0) return `**Checked:** ${checkedThings}; this change adds no problems.`
  const named = blocking
    .slice(0, problemsNamedMax)
    .map(({ path, message }) => `${path === '' ? '' : `${formatPathAsCode(path)}: `}${escapeLine(message, 200)}`)
  const more = blocking.length - named.length
  return `**Checked, and ${blocking.length === 1 ? '1 problem is' : `${blocking.length} problems are`} left:** ${named.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`
}

function describeConflicts(conflicts: readonly string[]): string {
  if (conflicts.length === 0) return ''
  return ` The base branch has changed the same lines in the meantime: ${conflicts.slice(0, 5).map(formatPathAsCode).join(', ')}.`
}

/** For hosts that show checks next to the pull request. */
export function writeChecks(problems: readonly AgentProblem[]): PullRequestCheck[] {
  const isBlocked = problems.some(({ severity }) => severity === 'block')
  const summary = problems
    .map(({ path, line, message }) => `${path}${line === null ? '' : `:${line}`}: ${message}`)
    .join('\n')
    .slice(0, checkCharsMax)
  const state = isBlocked ? 'failed' : problems.length > 0 ? 'warning' : 'passed'
  return [
    {
      name: writeMessages([messageOf('change-check')]),
      state,
      summary: summary === '' ? writeMessages([messageOf('change-passed')]) : maskSecrets(summary),
    },
  ]
}

/** The title, the summary and a trailer that names the job. */
export function writeCommitMessage({ jobId, work }: Pick<PullRequestTextInput, 'jobId' | 'work'>): string {
  return `${writeTitle(work.title)}\n\n${writePlainLine(work.summary, messageCharsMax)}\n\n${writeJobTrailer(jobId)}`
}

/** Inserts the text after the template's first heading and leaves the other sections for people to fill in. */
function frame(template: string, body: string): string {
  const heading = /^#{1,6}[ \t].*$/m.exec(template)
  if (heading === null) return `${body}\n\n${template.trim()}`
  const end = heading.index + heading[0].length
  return `${template.slice(0, end).trimStart()}\n\n${body}\n\n${template.slice(end).trim()}`.trim()
}
