import type { AgentJobContext, AgentJobCreate } from '../../../../src/contract/agent-job.ts'
import { say } from '../../../words/say.ts'

/** Values of the form. */
export interface JobForm {
  prompt: string
  siteId: string
  baseBranch: string
  branch: string
  /** Empty for the default model. */
  model: string
  isDraft: boolean
  context: AgentJobContext[]
}

/** @param page Path of the page that the job is about. */
export function emptyJobForm(siteId: string, page?: string): JobForm {
  const prompt = page === undefined ? '' : `${say('On the page {page}:', { page })} `
  return { prompt, siteId, baseBranch: '', branch: '', model: '', isDraft: false, context: [] }
}

/** Empty fields are left to the service. */
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

/**
 * Identifies one submission, so that retries start no second job. `crypto.randomUUID` is unavailable on pages served
 * over http.
 */
export function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
