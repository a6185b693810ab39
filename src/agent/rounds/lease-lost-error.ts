/** Somebody else works on the job, or it was cancelled: nothing of this work may be written or pushed any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'

  constructor(jobId: string) {
    super(`The claim on the job ${jobId} is not the current one any more.`)
  }
}
