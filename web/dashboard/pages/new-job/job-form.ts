import type { AgentJobContext, AgentJobCreate } from '../../../../src/contract/agent-job.ts'

/** What stands in the fields of a new job. */
export interface JobForm {
  prompt: string
  /** Id of the site. */
  siteId: string
  baseBranch: string
  branch: string
  /** Empty for the one that jobs use. */
  model: string
  isDraft: boolean
  context: AgentJobContext[]
}

export function emptyJobForm(siteId: string): JobForm {
  return { prompt: '', siteId, baseBranch: '', branch: '', model: '', isDraft: false, context: [] }
}

/** What is left empty is left to the service. */
export function readJobForm({ prompt, siteId, baseBranch, branch, model, isDraft, context }: JobForm): AgentJobCreate {
  return {
    prompt,
    site: siteId,
    ...(baseBranch.trim() !== '' && { baseBranch: baseBranch.trim() }),
    ...(branch.trim() !== '' && { branch: branch.trim() }),
    ...(model !== '' && { model }),
    ...(isDraft && { draft: true }),
    ...(context.length > 0 && { context }),
  }
}

/** Names one wish to begin a job: sent twice, it begins one. Pages that came over http have no other source of it. */
export function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
